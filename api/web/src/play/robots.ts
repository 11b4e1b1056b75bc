// The robots of the service.
import { maybe, t } from "../i18n";

/** The kinds of robots that people may choose, the weakest first. */
export const ROBOTS = ["random", "runner", "hunter", "thinker", "learned"];

/** The name of a kind of robot. */
export const robotName = (kind: string): string => maybe(`robot_${kind}`) ?? t("robot");
