// Parts of the board that are pressed by touch, mouse and keyboard.

/** The attributes by which a part of a picture is a button with this text for screen readers. */
export function buttonProps(press: () => void, label: string, tabIndex: number) {
  return {
    role: "button" as const,
    // SVG elements accept this attribute only in lower case.
    tabindex: tabIndex,
    "aria-label": label,
    onClick: press,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      press();
    },
  };
}
