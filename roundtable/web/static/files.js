// Files and folders that a person drags in or chooses, with their places in the folder that they came from.
import { useEffect, useRef, useState } from "./vendor.js";

// What is done with them: fetched once there are some.
export const bringing = () => import("./later/bringing.js");

// Everything that was let fall: [{path, file}]. What the event holds is gone once others have had a turn.
function dropped(transfer) {
  const tops = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = chosenFiles(transfer.files); // not every program hands entries over
  return tops.length ? bringing().then(({ walk }) => walk(tops)) : Promise.resolve(plain);
}

const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");

// A browser opens what is let fall beside what takes it, in the page's place.
for (const kind of ["dragover", "drop"])
  addEventListener(kind, (event) => holdsFiles(event) && event.preventDefault());

// Takes files and folders that are let fall anywhere on the page, or on `box` alone; says whether some are above it.
export function useDrops(take, failed, box = null) {
  const [over, setOver] = useState(false);
  const now = useRef(null);
  now.current = { take, failed };
  useEffect(() => {
    const ground = box?.current ?? globalThis;
    const hear = (event) => {
      if (!holdsFiles(event)) return;
      setOver(event.type === "dragover");
      if (event.type !== "drop") return;
      dropped(event.dataTransfer).then(now.current.take, (trouble) => now.current.failed(trouble.message));
    };
    const kinds = ["dragover", "dragleave", "drop"];
    for (const kind of kinds) ground.addEventListener(kind, hear);
    return () => {
      for (const kind of kinds) ground.removeEventListener(kind, hear);
    };
  }, []);
  return over;
}

export const chosenFiles = (list) =>
  [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !/(^|\/)\./.test(path));
