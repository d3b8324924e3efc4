/** Pieces of HTML. Text is always escaped; a link runs a command of this extension. */

/** HTML that is safe to be put into a page: only the functions here make it. */
export type Html = string & { readonly html: true };

export function raw(html: string): Html {
  return html as Html;
}

export function escaped(text: string): Html {
  return raw(
    text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  );
}

export function element(name: string, content: string | Html[], given: Record<string, string> = {}): Html {
  const inside = typeof content === 'string' ? escaped(content) : content.join('');
  const attributes = Object.entries(given).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return raw(`<${name}${attributes.join('')}>${inside}</${name}>`);
}

/** A link that runs a command with arguments. */
export function commandLink(text: string, command: string, ...given: string[]): Html {
  return element('a', text, { href: address(command, given) });
}

/** The same as a button to look at. */
export function button(text: string, command: string, ...given: string[]): Html {
  return element('a', text, { class: 'button', role: 'button', href: address(command, given) });
}

function address(command: string, given: string[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(given))}`;
}

export function table(heads: string[], rows: Html[][], numbers: readonly number[] = []): Html {
  const cell = (name: string, content: string | Html[], at: number): Html =>
    element(name, content, numbers.includes(at) ? { class: 'number' } : {});
  const head = element('tr', heads.map((text, at) => cell('th', text, at)));
  const body = rows.map((row) => element('tr', row.map((one, at) => cell('td', [one], at))));
  return element('table', [element('thead', [head]), element('tbody', body)]);
}

export function list(items: Html[][]): Html {
  return element('ul', items.map((item) => element('li', item)));
}
