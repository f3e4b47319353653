// What the scripts of both pages begin with.
"use strict";
const by = id => document.getElementById(id);
// An attribute that is null, undefined or false is left out, and so is a child that is null. A function is a listener,
// of the event that follows "on".
const built = (out, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") out.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) out.setAttribute(key, value);
  }
  out.append(...children.filter(child => child !== null));
  return out;
};
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const element = (name, attributes = {}, ...children) => built(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) =>
  built(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const button = (attributes, text) => element("button", {type: "button", ...attributes}, text);
