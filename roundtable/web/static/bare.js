// A passage's text without the signs of headings and code.
export const bare = (text) => text.replace(/^(?:#{1,6} |[ \t]*(?:`{3}|~{3}).*\n?)/gm, "");
