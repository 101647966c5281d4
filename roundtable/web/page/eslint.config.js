// What the page's own scripts are checked for; `vendor.js` is built from others' packages.
import js from "@eslint/js";
import globals from "globals";

const SCREEN = 60; // lines: a function is read without scrolling

export default [
  { ignores: ["static/vendor.js", "**/node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", { max: SCREEN, skipBlankLines: true, skipComments: true }],
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
  { files: ["**/tests/**/*.js", "page/*.js"], languageOptions: { globals: globals.node } },
];
