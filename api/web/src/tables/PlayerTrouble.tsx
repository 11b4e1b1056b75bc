// The error that a request of this browser's player got. A player whom the service does not know can be forgotten.
import type { JSX } from "preact";
import type { Refusal } from "../api/client";
import { Trouble } from "../form/notes";
import { t } from "../i18n";
import { forgetPlayer, isGone, player } from "../player";

interface Props {
  trouble: Refusal | undefined;
  /** Called when the trouble is over, because the player was forgotten. */
  clear: () => void;
}

export function PlayerTrouble({ trouble, clear }: Props): JSX.Element {
  return (
    <Trouble trouble={trouble}>
      {trouble && isGone(trouble) && player.value && (
        <p>
          <button
            data-forget-player
            onClick={() => {
              forgetPlayer();
              clear();
            }}
          >
            {t("new_player")}
          </button>
        </p>
      )}
    </Trouble>
  );
}
