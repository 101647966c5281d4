// What the page takes from others, as one module. Built by build.sh into ../static/vendor.js.
export { h, render, Component, Fragment } from "preact";
export { useEffect, useLayoutEffect, useRef, useState, useMemo, useCallback } from "preact/hooks";
export { signal, computed, effect, batch } from "@preact/signals";
import { h } from "preact";
import htm from "htm";
export const html = htm.bind(h);
