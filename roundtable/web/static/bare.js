// A passage's text as pieces in its order, without the signs of headings and code: `head` tells a heading. In code
// such a line is a comment.
export function pieces(text) {
  const found = [];
  const add = (head, words) => words.trim() && found.push({ head, text: words.trim() });
  text.split(/^[ \t]*(?:`{3}|~{3}).*\n?/m).forEach((part, place) => {
    if (place % 2) return add(false, part);
    return part.split(/^#{1,6} (.*)$/m).forEach((words, nth) => add(nth % 2 === 1, words));
  });
  return found;
}
