/** A page of HTML in which nothing runs and nothing is fetched. */

export interface Parts {
  title: string;
  /** HTML, as the Markdown renderer gave it. */
  body: string;
  /** HTML of links that run commands. */
  buttons: readonly string[];
  /** Address of the style sheet. */
  style: string;
  /** What the editor serves its resources from. */
  source: string;
  language: string;
}

export function pageHtml(parts: Parts): string {
  const policy = `default-src 'none'; style-src ${parts.source}`;
  const toolbar = parts.buttons.length
    ? `<nav class="buttons">${parts.buttons.join('\n')}</nav>`
    : '';
  return `<!DOCTYPE html>
<html lang="${attribute(parts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<title>${attribute(parts.title)}</title>
<link rel="stylesheet" href="${attribute(parts.style)}">
</head>
<body>
${toolbar}
<main>${parts.body}</main>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
