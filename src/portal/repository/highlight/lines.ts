/** Cuts highlighted code into lines. Pure. */

const parts = /<span [^<>]*>|<\/span>|\n/g

/** The lines of highlighted HTML: a span that goes on over a line's end is closed there and opened again in the next line. */
export function htmlLines(html: string): string[] {
  const lines: string[] = []
  const open: string[] = []
  let line = ''
  let from = 0
  for (const { 0: part, index } of html.matchAll(parts)) {
    line += html.slice(from, index)
    from = index + part.length
    if (part === '\n') {
      lines.push(line + '</span>'.repeat(open.length))
      line = open.join('')
    } else {
      if (part === '</span>') open.pop()
      else open.push(part)
      line += part
    }
  }
  lines.push(line + html.slice(from))
  // A text that ends with a line end has no line after it.
  if (html.endsWith('\n')) lines.pop()
  return lines
}
