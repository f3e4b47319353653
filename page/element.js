// What the scripts of both pages begin with.
"use strict";
// An attribute that is null, undefined or false is left out, and so is a child that is null.
const element = (name, attributes = {}, ...children) => {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) out.setAttribute(key, value);
  }
  out.append(...children.filter(child => child !== null));
  return out;
};
