/** Lists of domains in which `*` stands for any characters: `example.com`, `*.example.com`. */

/** Is the domain in the list? Without regard to case. */
export function isDomainIn(list: readonly string[], domain: string): boolean {
  const name = domain.toLowerCase()
  return list.some(entry => matches(entry.toLowerCase(), name))
}

/** Compares part by part, so that the time grows with the length of the texts alone. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const [first = '', ...others] = parts
  if (others.length === 0) return text === first
  const last = others.pop() as string
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
