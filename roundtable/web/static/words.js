// The interface's own words. What the table says stays in the table's language.
import { signal } from "./vendor.js";

const EN = {
  sessions: "Sessions", newSession: "New session", topic: "Topic",
  topicHint: "A question, or a subject: “Why do cities flood?”",
  docs: "Documents", docsHint: "Folders or files on this machine, or names of collections; separated by commas",
  collections: "Collections", search: "Search outside", offline: "Stay offline",
  offlineHint: "Nothing is fetched; only the documents are read",
  model: "Model", modelHint: "Empty: {model}", turnsLimit: "Turns", experts: "Experts", begin: "Begin",
  options: "More options", noSessions: "No sessions yet. Begin one.", usual: "as usual",
  running: "Running", closed: "Writing the report", stopped: "Stopped", ended: "Ended", paused: "Paused",
  novelty: "{n} % new", noveltyTitle: "How much of the last answers was new: passages or words, whichever is more",
  turns: "{n} turns", oneTurn: "1 turn", back: "All sessions", discussion: "Discussion", map: "Map",
  sources: "Sources", report: "Report", views: "Views", newTurns: "New turns", say: "Say something",
  sayHint: "Heard at the next turn; answered first", send: "Send", everyone: "To the table", to: "To",
  waiting: "Waiting to be heard", question: "asks", youQuestion: "ask", youSteer: "steer", answer: "answers", steer: "steers", note: "notes",
  moderator: "Moderator", expert: "Expert", person: "You", passage: "Passage {id}", close: "Close",
  openSource: "Open the source", page: "page {n}", loading: "Loading …", thinking: "{who} is thinking",
  searching: "{who} searches {where}: {query}", reading: "{who} reads {url}", opening: "Opening the session …",
  failed: "{who} gave no answer: {reason}", placing: "The map grows", writing: "The report is being written",
  writeNow: "Write the report now", writeAgain: "Write the report again", heardLater: "Taken in when the report is written again or the table goes on", resume: "Resume", goOn: "Go on", pause: "Pause", more: "{n} more turns",
  downloads: "Downloads", files: "Files", mapAs: "Map as", reportAs: "Report as",
  tokens: "{n} tokens", requests: "{n} requests", cost: "{n} $", passages: "{n} passages",
  searchMap: "Search the map", found: "{n} found", zoomIn: "Zoom in", zoomOut: "Zoom out", fit: "Fit",
  expandAll: "Expand all", collapseAll: "Collapse all", mapEmpty: "The map begins with the first turns.",
  notes: "Notes", askAbout: "Ask about this", askText: "About “{title}”: ", rename: "Rename", save: "Save",
  moveTo: "Move to", move: "Move", pin: "Pin", unpin: "Unpin", pinned: "pinned", gap: "gap",
  contradiction: "contradiction", addNode: "Add a branch", remove: "Delete", newTitle: "Title",
  sourcesEmpty: "Nothing has been read yet.", drop: "Drop", dropped: "dropped", filter: "Filter",
  reportEmpty: "The report comes when the discussion closes. You can have it written now.",
  quoted: "quoted", supported: "supported", partial: "partly supported", unsupported: "not supported",
  unchecked: "not checked", openQuestions: "Open questions", made: "How this was made",
  checked: "The checker on {n} sentences", warnings: "Notices", lost: "The connection is lost; trying again …",
  notFound: "There is no such session.", language: "中文", seat: "At the table", step: "{n} of {limit} turns",
  keys: "Arrow keys move, Enter opens, Space folds", details: "About this branch", again: "Try again",
  followUp: "Ask a follow-up; the table goes on and the report is written again",
  conflict: "Somebody else changed it meanwhile", closedBecause: "The table closed: {reason}",
  stoppedBecause: "The session stands still: {reason}", ready: "The report is ready.", readReport: "Read it",
  panelSeated: "At the table: {names}", renewed: "The panel changed: {names}", undated: "no date",
  steerTable: "Steer", askOne: "Ask", kindOfWords: "What this is", readUrl: "Read a page", breakIn: "Break in", setAside: "Set aside", addExpert: "Invite an expert",
  plan: "Plan", planned: "Plan", planTitle: "Before the table begins", planHint: "Change what you like. Nothing more is spent until you begin.", planFirst: "Plan first",
  newName: "Name", focus: "Looks at", firstQuestion: "First question", addSeat: "Add an expert", whereSearched: "Where is searched", beginPlan: "Begin the discussion",
  estimate: "About {requests} requests, {tokens} tokens, {cost}", noPrice: "price unknown", free: "No requests to a language model; nothing to pay",
  people: "Table", nobodyYet: "Nobody is seated yet.", dismiss: "Dismiss", invite: "Invite", course: "How the table goes on", passive: "By itself", wait: "Waits for me",
  passiveHint: "You are heard whenever you speak; nobody waits for you.", waitHint: "After each round the table waits until you speak or let it go on.",
  goOnFrom: "Turns from now", goOnAgain: "Further turns", agenda: "Open questions", agendaEmpty: "No question is waiting.", andMore: "and {n} more",
  directions: "Directions", steerHint: "“Stay on costs”", asideHint: "A subject nobody asks about any more", breakInHint: "Heard at once; the turn under way is cancelled",
  readHint: "https://…", addExpertHint: "Name: what they look at", typing: "is writing", earlier: "Show earlier ({n})", fork: "Turn {n}: begin another session from here", forkHint: "Begin another session from after this turn",
  askOn: "Ask on", file: "File", readFile: "Have a file read now", dropHost: "Drop all of {host}", arrange: "Arrange", mergeInto: "Merge into", merge: "Merge", sort: "Sort",
  sortHint: "Choose passages to take elsewhere: {n} chosen", putInto: "Put them into", splitOff: "Or into a new branch named", titleOf: "Title of a branch",
  skip: "Skip to the content", undo: "Undo", chart: "Chart",
};

const ZH = {
  sessions: "会话", newSession: "新会话", topic: "主题", topicHint: "一个问题或主题：“城市为何内涝？”",
  docs: "文档", docsHint: "本机的文件夹、文件或文集名称，以逗号分隔", collections: "文集",
  search: "外部搜索", offline: "离线", offlineHint: "不联网，只读文档", model: "模型", modelHint: "留空：{model}",
  turnsLimit: "轮数", experts: "专家人数", begin: "开始", options: "更多选项", noSessions: "还没有会话，开始一个吧。",
  usual: "默认", running: "进行中", closed: "撰写报告", stopped: "已停止", ended: "已结束", paused: "已暂停",
  novelty: "新内容 {n}%", noveltyTitle: "最近几个回答中新内容的比例（段落或词语，取较大者）",
  turns: "{n} 轮", oneTurn: "1 轮", back: "全部会话", discussion: "讨论", map: "导图", sources: "来源", report: "报告",
  views: "视图", newTurns: "新发言", say: "发言", sayHint: "下一轮听取，优先回答", send: "发送", everyone: "对所有人",
  to: "对象", waiting: "等待听取", question: "提问", youQuestion: "提问", youSteer: "引导", answer: "回答", steer: "引导", note: "备注", moderator: "主持人",
  expert: "专家", person: "您", passage: "段落 {id}", close: "关闭", openSource: "打开来源", page: "第 {n} 页",
  loading: "载入中……", thinking: "{who} 正在思考", searching: "{who} 在 {where} 搜索：{query}", reading: "{who} 正在阅读 {url}",
  opening: "正在打开会话……", failed: "{who} 没有回答：{reason}", placing: "导图在生长", writing: "正在撰写报告",
  writeNow: "立即撰写报告", writeAgain: "重写报告", heardLater: "重写报告或继续讨论时生效", resume: "继续", goOn: "继续讨论", pause: "暂停", more: "再来 {n} 轮", downloads: "下载",
  files: "文件", mapAs: "导图格式", reportAs: "报告格式", tokens: "{n} 词元", requests: "{n} 次请求", cost: "{n} 美元",
  passages: "{n} 个段落", searchMap: "搜索导图", found: "找到 {n} 个", zoomIn: "放大", zoomOut: "缩小", fit: "适应",
  expandAll: "全部展开", collapseAll: "全部收起", mapEmpty: "首轮发言后导图开始生长。", notes: "笔记",
  askAbout: "就此提问", askText: "关于“{title}”：", rename: "改名", save: "保存", moveTo: "移到", move: "移动",
  pin: "固定", unpin: "取消固定", pinned: "已固定", gap: "空缺", contradiction: "矛盾", addNode: "添加分支",
  remove: "删除", newTitle: "标题", sourcesEmpty: "尚未阅读任何来源。", drop: "弃用", dropped: "已弃用", filter: "筛选",
  reportEmpty: "讨论结束后撰写报告，也可以现在就写。", quoted: "引文", supported: "有依据", partial: "部分有依据",
  unsupported: "无依据", unchecked: "未核查", openQuestions: "未决问题", made: "报告如何写成",
  checked: "核查了 {n} 句", warnings: "提示", lost: "连接中断，正在重试……", notFound: "没有这个会话。", language: "English",
  seat: "在座", step: "第 {n} 轮，共 {limit} 轮", keys: "方向键移动，回车打开，空格折叠", details: "关于此分支", again: "重试",
  followUp: "追问：讨论继续，报告重写", conflict: "其他人刚刚改动了它", closedBecause: "讨论结束：{reason}",
  stoppedBecause: "会话暂停：{reason}", ready: "报告已写好。", readReport: "阅读", panelSeated: "在座：{names}",
  renewed: "专家更替：{names}", undated: "无日期", steerTable: "引导", askOne: "提问", kindOfWords: "发言类型",
  readUrl: "阅读网页", breakIn: "打断", setAside: "搁置", addExpert: "邀请专家",
  plan: "计划", planned: "计划", planTitle: "讨论开始之前", planHint: "可随意修改；开始之前不再花费。", planFirst: "先看计划",
  newName: "姓名", focus: "关注", firstQuestion: "第一个问题", addSeat: "添加专家", whereSearched: "搜索范围", beginPlan: "开始讨论",
  estimate: "约 {requests} 次请求，{tokens} 词元，{cost}", noPrice: "价格未知", free: "不请求语言模型，无需付费",
  people: "席位", nobodyYet: "尚无人入座。", dismiss: "请离席", invite: "邀请", course: "讨论如何进行", passive: "自行进行", wait: "等我",
  passiveHint: "您随时发言都会被听取，讨论不会等待。", waitHint: "每轮之后等您发言或让其继续。",
  goOnFrom: "从现在起的轮数", goOnAgain: "再讨论的轮数", agenda: "待答问题", agendaEmpty: "没有待答的问题。", andMore: "还有 {n} 个",
  directions: "方向", steerHint: "“只谈费用”", asideHint: "不再讨论的话题", breakInHint: "立即听取；当前发言被打断",
  readHint: "https://…", addExpertHint: "姓名：关注点", typing: "正在写", earlier: "显示更早的（{n}）", fork: "第 {n} 轮：由此另开会话", forkHint: "从这一轮之后另开会话",
  askOn: "继续追问", file: "文件", readFile: "立即阅读一个文件", dropHost: "弃用 {host} 的全部网页", arrange: "整理", mergeInto: "并入", merge: "合并", sort: "分拣",
  sortHint: "选择要移走的段落：已选 {n} 个", putInto: "放入", splitOff: "或放入新分支", titleOf: "分支标题",
  skip: "跳到内容", undo: "撤销", chart: "图表",
};

const kept = (() => {
  try { return localStorage.getItem("language"); } catch { return null; }
})();
export const language = signal(kept || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"));

export function speak(code) {
  language.value = code;
  document.documentElement.lang = code;
  try { localStorage.setItem("language", code); } catch { /* private windows keep nothing */ }
}

export function t(key, values = {}) {
  const words = (language.value === "zh" ? ZH : EN)[key] ?? EN[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export const count = (n) => new Intl.NumberFormat(language.value).format(n);
export const turnsOf = (n) => (n === 1 ? t("oneTurn") : t("turns", { n: count(n) }));
export const day = (at) => {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? String(at ?? "") : date.toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
};
document.documentElement.lang = language.value;
