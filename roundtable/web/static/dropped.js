// What is left of a text when a passage is used no longer: the same as the server's `without_citations`.

const CITED = /\[(p\d+)\]/g;
const BEFORE_STOP = /[ \t]+(?=[.,;:!?](?![\w.])|[。，；：！？])/g;

function starts(text, language) {
  if (Intl.Segmenter)
    return [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)].map(
      (one) => one.index,
    );
  return [0, ...[...text.matchAll(/[.!?]\s+|[。！？]/g)].map((found) => found.index + found[0].length)];
}

// The sentences of a text, each with its citations, also those that follow its full stop.
export function claims(text, language) {
  const places = [];
  let plain = "",
    at = 0;
  for (const found of text.matchAll(CITED)) {
    plain += text.slice(at, found.index);
    at = found.index + found[0].length;
    places.push([plain.length, at]);
  }
  const whole = (offset) => {
    const before = places.filter(([from]) => from <= offset).at(-1);
    return before ? Math.min(before[1] + offset - before[0], text.length) : offset;
  };
  const cuts = [
    0,
    ...starts(plain + text.slice(at), language)
      .slice(1)
      .map(whole),
    text.length,
  ];
  return cuts.slice(1).map((end, place) => text.slice(cuts[place], end));
}

// Sentences that rest on the passage alone go; others only lose its number.
export function withoutPassage(text, passage, language) {
  if (!text.includes(`[${passage}]`)) return text;
  const kept = claims(text, language).filter((claim) => {
    const cited = [...claim.matchAll(CITED)].map((found) => found[1]);
    return !cited.length || cited.some((id) => id !== passage);
  });
  return kept
    .map((claim) =>
      claim.includes(`[${passage}]`)
        ? claim.replace(new RegExp(`[ \\t]*\\[${passage}\\]`, "g"), "").replace(BEFORE_STOP, "")
        : claim,
    )
    .join("")
    .trim();
}
