// Draws the throws of a finished game again, by the scheme `pagade-dice-1` that `GET /v1/games/{id}/dice` describes.
import type { DiceProof } from "../api/types";

export interface Verdict {
  seedHash: boolean;
  /** The number of the first throw that differs, from 1; `undefined` if all throws are right. */
  differs: number | undefined;
  throws: number;
}

/** Whether this browser computes hashes here. It does so only for pages that come over HTTPS or from this machine. */
export const canProve = (): boolean => "subtle" in crypto;

export async function prove(proof: DiceProof): Promise<Verdict> {
  const text = new TextEncoder();
  const seed = text.encode(proof.seed ?? "");
  const hash = await crypto.subtle.digest("SHA-256", seed);
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const lines = proof.players
    .filter((seat) => seat in proof.contributions)
    .map((seat) => `${seat}=${proof.contributions[seat]}\n`)
    .join("");
  const own = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const key = new Uint8Array(await crypto.subtle.sign("HMAC", own, text.encode(lines)));
  const differs = proof.throws.findIndex((thrown, index) => thrown !== drawn(key, index + 1, proof.dice));
  return {
    seedHash: hex === proof.seed_hash,
    differs: differs < 0 ? undefined : differs + 1,
    throws: proof.throws.length,
  };
}

function drawn(key: Uint8Array, nonce: number, dice: DiceProof["dice"]): string {
  const words = chacha20(key, nonce);
  const below = (k: number): number => {
    const limit = 0xffffffff - (0xffffffff % k);
    for (;;) {
      const word = words.next().value as number;
      if (word < limit) return word % k;
    }
  };
  if (dice.kind === "faces")
    return Array.from({ length: dice.count }, () => dice.faces[below(dice.faces.length)]).join("+");
  let up = 0;
  for (let lot = 0; lot < dice.count; lot += 1) up += below(2);
  return `${dice.values[up]}(${up})`;
}

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** The words of D. J. Bernstein's ChaCha20: 64 bits for the block counter, and 64 for the nonce. */
function* chacha20(key: Uint8Array, nonce: number): Generator<number> {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const keys = Array.from({ length: 8 }, (_, index) => view.getUint32(index * 4, true));
  for (let block = 0; ; block += 1) {
    const start = Uint32Array.from([...CONSTANTS, ...keys, block, 0, nonce, 0]);
    const state = start.slice();
    for (let round = 0; round < 10; round += 1) {
      for (const [a, b, c, d] of QUARTERS) {
        quarter(state, a, b, d, 16);
        quarter(state, c, d, b, 12);
        quarter(state, a, b, d, 8);
        quarter(state, c, d, b, 7);
      }
    }
    for (let index = 0; index < 16; index += 1) yield (state[index]! + start[index]!) >>> 0;
  }
}

/** One step of a quarter round: adds word `add` to word `sum`, and rotates word `turn` xor the sum by `by` bits. */
function quarter(state: Uint32Array, sum: number, add: number, turn: number, by: number): void {
  state[sum] = state[sum]! + state[add]!;
  const mixed = state[turn]! ^ state[sum]!;
  state[turn] = (mixed << by) | (mixed >>> (32 - by));
}
