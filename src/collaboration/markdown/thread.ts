/** Runs in a thread: parses one long text (reading.ts). */
import { type Asked, answer, bounded, type MarkdownFacts } from './reading.ts'

export default async function parse(asked: Asked): Promise<MarkdownFacts | string | undefined> {
  if (!asked.isAsciidoc) return answer(asked)
  // The converter is loaded only where it is needed.
  const { asciidocHtml } = await import('./asciidoc.ts')
  return bounded(await asciidocHtml(asked.text))
}
