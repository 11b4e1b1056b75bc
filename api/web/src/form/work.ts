// The state of a form that is sent: whether the answer has not come yet, and why the request was refused.
import { useState } from "preact/hooks";
import { Refusal, refusalOf } from "../api/client";

export interface Work {
  busy: boolean;
  trouble: Refusal | undefined;
  /** Does the work, unless earlier work is still being done. Returns whether it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useWork(): Work {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Refusal>();
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setTrouble(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setTrouble(refusalOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, run };
}
