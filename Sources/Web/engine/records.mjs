// SPDX-License-Identifier: MIT
// Codes of the C surface, and the records that a batch lends.

const eventKinds = ["logicallyComplete", "settled", "iteration", "phase", "invalidGoal"];
export const columns = { values: 0, velocities: 1, targets: 2 };
export function columnCode(what) {
  if (Object.hasOwn(columns, what)) return columns[what];
  throw new TypeError(`what to read is one of ${Object.keys(columns).join(", ")}, not ${what}`);
}
export const formats = ["float32", "float16", "unorm8", "snorm8", "unorm16", "snorm16"];
const completions = ["logicallyComplete", "settled"];
const results = ["complete", "replaced", "removed"];

/** The code of a completion; 0 for none. */
export function completionCode(completion) {
  if ((completion ?? null) === null) return 0;
  const place = completions.indexOf(completion);
  if (place < 0) throw new TypeError(`a completion is one of ${completions.join(", ")}, not ${completion}`);
  return place + 1;
}

/** An event at an address; `views` show the memory. */
export function event(address, { words, ints, doubles, longs }) {
  const event = {
    kind: eventKinds[ints[address / 4 + 8]], index: words[address / 4 + 4], change: words[address / 4 + 7],
    time: doubles[address / 8],
  };
  if (["iteration", "phase"].includes(event.kind)) event.number = Number(longs[address / 8 + 1]);
  return event;
}

/** How a change ended. */
export function outcome(address, { words }) {
  const [change, completed, replaced, removed] = words.subarray(address / 4);
  return { change, completed, replaced, removed, isComplete: replaced + removed === 0 };
}

/** How a change ended for one track. */
export function trackOutcome(address, { words }) {
  const [index, , , change, result] = words.subarray(address / 4);
  return { change, index, result: results[result] };
}
