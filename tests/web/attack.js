async (base) => {
              const order = JSON.stringify({topic: "x", docs: ["python"], offline: true}), all = {};
              const tried = async (name, work) => { try { all[name] = await work(); } catch (e) { all[name] = "refused"; } };
              const send = (more) => fetch(base + "/api/sessions", {method: "POST", credentials: "include", body: order, ...more});
              await tried("plain", () => send({mode: "no-cors"}).then((a) => a.type + a.status));
              await tried("json", () => send({headers: {"Content-Type": "application/json"}}).then((a) => a.status));
              await tried("read", () => fetch(base + "/api/sessions", {credentials: "include"}).then((a) => a.text()));
              await tried("beacon", () => String(navigator.sendBeacon(base + "/api/sessions", new Blob([order], {type: "text/plain"}))));
              await tried("stream", () => new Promise((done) => {
                const source = new EventSource(base + "/api/sessions/x/events", {withCredentials: true});
                source.onopen = () => done("open"); source.onerror = () => done("refused"); }));
              await tried("socket", () => new Promise((done) => {
                const socket = new WebSocket(base.replace("http", "ws") + "/api/sessions");
                socket.onopen = () => done("open"); socket.onerror = () => done("refused"); }));
              document.forms[0].submit();
              return all;
            }
