// Judges changed scenarios in the browser: runs a game's module (module.cpp) in a worker, so that an implementation
// that hangs does not stop the page.
//
//   const module = new LockstepModule(compiled)    a WebAssembly.Module
//   await module.film({text, names})            the film of a scenario, or {error, line}
//   await module.put({text, cell, value})       {text}
//   await module.smaller({text, names, signature})    {tried, total, complete, fails: [texts]}
//   await module.explain({text, names})         {why}
//   module.stop()
//
// Each call takes the place of the calls before it that have not begun. An answer that takes longer than patience_ms is
// {error}, and the worker is a new one.
"use strict";
const LockstepModule = (() => {
  const patience_ms = 5_000;

  const worker_main = () => {
    const reducing_ms = 3_000;
    let compiled = null, exports = null, in_flight = 0;
    const fresh = () => {
      const view = () => new DataView(exports.memory.buffer);
      const now = (clock, precision, at) => {
        view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      };
      const refused = () => 8; // EBADF: there are no files
      const system = {clock_time_get: now, proc_exit: code => {
        throw new Error(`exit ${code}`);
      }};
      const imports = {};
      for (const {module, name} of WebAssembly.Module.imports(compiled)) {
        (imports[module] ??= {})[name] = system[name] ?? refused;
      }
      exports = new WebAssembly.Instance(compiled, imports).exports;
      exports._initialize();
      in_flight = exports.lockstep_in_flight();
    };
    const ask = request => {
      const bytes = new TextEncoder().encode(request);
      const room = exports.lockstep_room(bytes.length);
      new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
      const begin = exports.lockstep_ask();
      const memory = new Uint8Array(exports.memory.buffer);
      return JSON.parse(new TextDecoder().decode(memory.subarray(begin, memory.indexOf(0, begin))));
    };
    // The answer, or {trap, implementation, step} of what was in flight when the module died.
    const ask_or_die = request => {
      try {
        return ask(request);
      } catch (fault) {
        const view = new DataView(exports.memory.buffer);
        const [implementation, step] = [0, 4].map(at => view.getUint32(in_flight + at, true));
        fresh();
        return {trap: `died in the browser: ${fault.message}`, implementation, step};
      }
    };
    const run = (text, name, actions) => {
      const got = ask_or_die(`run ${name} ${actions}\n${text}`);
      if (got.trap === undefined) return got;
      const step = Math.min(got.step + 1, actions);
      const before = step > 0 ? run(text, name, step - 1) : {positions: []};
      return {...before, end: before.end ?? {step, reason: got.trap}, died: true};
    };
    // What an implementation that died makes of the verdict: the others decide as long as all live.
    const verdict_of_death = (text, names, actions, {step, blamed, reason}, system) => {
      const before = step > 0 ? ask_or_die(`judge ${names.join()} ${step - 1}\n${text}`) : {};
      if (before.divergence) return before;
      const action = step > 0 ? actions[step - 1][0] : "setup";
      const signature = `${system} ${blamed} crash ${action} trap`;
      return {divergence: {kind: "crash", step, blamed, action, field: "trap", expected: "", actual: reason, words: "",
                           signature}};
    };
    const judged = (text, names, actions, system) => {
      const got = ask_or_die(`judge ${names.join()} ${actions.length}\n${text}`);
      if (got.trap === undefined) return got;
      const step = Math.min(got.step + 1, actions.length);
      const blamed = names[got.implementation];
      return verdict_of_death(text, names, actions, {step, blamed, reason: got.trap}, system);
    };
    const jobs = {
      implementations: () => ask("implementations"),
      film: ({text, names, system}) => {
        const head = ask(`read\n${text}`);
        if (head.error !== undefined) return head;
        const total = head.actions.length;
        const implementations = names.map(name => ({name, ...run(head.text, name, total)}));
        const dead = implementations.filter(each => each.died).sort((a, b) => a.end.step - b.end.step)[0];
        const {divergence, reason} = dead
          ? verdict_of_death(head.text, names, head.actions,
                             {step: dead.end.step, blamed: dead.name, reason: dead.end.reason}, system)
          : judged(head.text, names, head.actions, system);
        return {scenario: head.text, boards: head.boards, total, first: 0, last: total, actions: head.actions,
                implementations, divergence: divergence ?? null, reason};
      },
      put: ({text, cell, value}) => ask(`put ${cell} ${value}\n${text}`),
      smaller: ({text, names, signature, system}) => {
        const {texts, complete} = ask(`reductions\n${text}`);
        const deadline = performance.now() + reducing_ms;
        const fails = [];
        let tried = 0;
        for (; tried < texts.length && performance.now() < deadline; ++tried) {
          const {actions} = ask(`read\n${texts[tried]}`);
          const {divergence} = judged(texts[tried], names, actions, system);
          if (divergence?.signature === signature) fails.push(texts[tried]);
        }
        return {tried, total: texts.length, complete, fails};
      },
      explain: ({text, names}) => ask_or_die(`explain ${names.join()} 1000\n${text}`),
    };
    onmessage = ({data: {number, job, code, ...given}}) => {
      if (code) {
        compiled = code;
        fresh();
      }
      try {
        postMessage({number, answer: jobs[job](given)});
      } catch (fault) {
        fresh();
        postMessage({number, answer: {error: fault.message, line: 0}});
      }
    };
  };

  class Module {
    constructor(compiled) {
      this.compiled = compiled;
      this.number = 0;
      this.worker = null;
      this.running = null; // {number, resolve, timer}
      this.waiting = null; // {job, given, resolve}
      for (const job of ["implementations", "film", "put", "smaller", "explain"]) {
        this[job] = given => this.call(job, given);
      }
    }
    call(job, given = {}) {
      return new Promise(resolve => {
        this.waiting?.resolve({superseded: true});
        this.waiting = {job, given, resolve};
        this.next();
      });
    }
    next() {
      if (this.running || !this.waiting) return;
      const {job, given, resolve} = this.waiting;
      this.waiting = null;
      const number = ++this.number;
      const code = this.worker ? null : this.compiled;
      if (!this.worker) {
        const address = URL.createObjectURL(new Blob([`(${worker_main})()`], {type: "text/javascript"}));
        this.worker = new Worker(address);
        URL.revokeObjectURL(address);
        this.worker.onmessage = ({data}) => this.answered(data.number, data.answer);
        this.worker.onerror = () => this.lost({error: "WebAssembly does not run here", line: 0});
      }
      const error = `no answer within ${patience_ms / 1000} s: it hangs`;
      const timer = setTimeout(() => this.lost({error, line: 0}), patience_ms);
      this.running = {number, resolve, timer};
      this.worker.postMessage({number, job, code, ...given});
    }
    answered(number, answer) {
      if (!this.running || this.running.number !== number) return;
      clearTimeout(this.running.timer);
      const {resolve} = this.running;
      this.running = null;
      resolve(answer);
      this.next();
    }
    lost(answer) {
      this.worker?.terminate();
      this.worker = null;
      this.answered(this.running?.number, answer);
    }
    // Drops what is running and waiting.
    stop() {
      this.waiting?.resolve({superseded: true});
      this.waiting = null;
      if (this.running) this.lost({superseded: true});
    }
  }
  return Module;
})();
