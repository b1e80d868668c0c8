/** Runs in a thread: the highlighter, and the cut into lines. */
import hljs from 'highlight.js'
import { htmlLines } from './lines.ts'

/** What is asked of the thread. */
export interface HighlightTask {
  readonly text: string
  /** As the highlighter calls it. */
  readonly language: string
}

/** The lines as HTML; undefined for a language that the highlighter does not have. */
export default function highlight({ text, language }: HighlightTask): readonly string[] | undefined {
  if (!hljs.getLanguage(language)) return undefined
  return htmlLines(hljs.highlight(text, { language, ignoreIllegals: true }).value)
}
