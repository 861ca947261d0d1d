export interface HtmlPage {
  readonly title: string;
  /** Width of the text, in rem. */
  readonly width: number;
  /** Rules of CSS beside those of every page. */
  readonly styles: string;
  /** HTML below the title. */
  readonly body: string;
}

/** One page without a script or anything to load. The title is text, the body is HTML already. */
export function formatHtmlPage({ title, width, styles, body }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: ${width}rem; padding: 0 1rem; color: #1c2329 }
${styles}
pre { overflow-x: auto; background: #f4f6f8; padding: 1rem }
</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
${body}
</body>
</html>
`;
}

/** Text that is safe in HTML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
