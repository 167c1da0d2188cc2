// Colours of source code: the parts of a line by kind, for programs and for kernels in C++.

/** Kinds of parts with their patterns, in the order in which they are tried. */
const PTO_PARTS = {
  comment: /\/\/.*/,
  string: /"(?:[^"\\]|\\.)*"?/,
  value: /%[\w$.-]+(?:#\d+)?/,
  symbol: /@[\w$.-]+/,
  type: /![a-z_][\w$.]*|#[a-z_][\w$.]*|(?:(?:\d+|\?)x)+(?:[a-z]\w*|\?)|\b(?:[fiu]\d+|[su]i\d+|bf16|tf32|hif8|f8[A-Z]\w*|f4[A-Z]\w*|index)\b/,
  operation: /\b[a-z_]\w*\.[a-z_][\w.]*/,
  word: /\b(?:ins|outs|module|attributes|return|to|step|iter_args|else|do|true|false|loc)\b/,
  number: /-?\b(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\b/,
};

const CPP_PARTS = {
  comment: /\/\/.*|\/\*.*?(?:\*\/|$)/,
  string: /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)+'/,
  symbol: /^\s*#\s*\w+/,
  operation: /\b(?:T[A-Z][A-Z\d_]*|set_flag|wait_flag|pipe_barrier)\b/,
  type: /\b(?:auto|bool|char|double|float|half|int|long|short|signed|unsigned|void|u?int\d+_t|size_t|bfloat16_t|Tile\w*|GlobalTensor|Shape|Stride)\b/,
  word: /\b(?:alignas|break|case|class|const|constexpr|continue|default|do|else|enum|extern|false|for|if|inline|namespace|new|return|sizeof|static|struct|switch|template|true|typename|using|while)\b/,
  number: /\b(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)[fuUlL]*\b/,
};

/** One pattern with a named group for each kind. */
const joined = (parts) => new RegExp(Object.entries(parts).map(([kind, part]) => `(?<${kind}>${part.source})`).join('|'), 'g');

/** A function that returns the nodes of one line; its calls go through the lines of a text in order. */
function colouring() {
  const isCpp = sigil === '';
  const pattern = joined(isCpp ? CPP_PARTS : PTO_PARTS);
  let inComment = false;
  return (text) => {
    const nodes = [];
    const add = (kind, part) => { if (part) nodes.push(kind ? html('span', { class: 'c-' + kind }, part) : part); };
    let from = 0;
    if (inComment) {
      const end = text.indexOf('*/');
      from = end < 0 ? text.length : end + 2;
      inComment = end < 0;
      add('comment', text.slice(0, from));
    }
    pattern.lastIndex = from;
    for (const match of text.matchAll(pattern)) {
      const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
      add('', text.slice(from, match.index));
      add(kind, match[0]);
      from = match.index + match[0].length;
      inComment = isCpp && match[0].startsWith('/*') && !match[0].endsWith('*/');
    }
    add('', text.slice(from));
    return nodes.length ? nodes : [' '];
  };
}
