/** The golden file of plans: what many lists do alike is written out where it comes first, and named from there on. */
import { createHash } from 'node:crypto'
import type { Plan } from './explain.ts'

/** A subplan of fewer lines is written out each time. */
const SHORT = 3

/** Writes the chapters of one file. */
export class Chapters {
  readonly #known = new Set<string>()
  readonly #chapters: string[] = []

  /** Adds a list with the plans of its statements. */
  add(title: string, plans: readonly Plan[]): void {
    this.#chapters.push([`# ${title}`, ...plans.map(({ shape }) => this.#once('plan', shape.split('\n')).join('\n'))].join('\n\n'))
  }

  toString(): string {
    return `${this.#chapters.join('\n\n')}\n`
  }

  /** A heading and its lines, or where these are known the heading alone. */
  #once(heading: string, lines: readonly string[]): string[] {
    const name = createHash('sha1').update(lines.join('\n')).digest('hex').slice(0, 6)
    if (this.#known.has(name)) return [`${heading} ${name}, as above`]
    this.#known.add(name)
    return [`${heading} ${name}`, ...this.#withSubplans(lines).map(line => `  ${line}`)]
  }

  /** The lines with their subplans named. */
  #withSubplans(lines: readonly string[]): string[] {
    const written: string[] = []
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string
      const depth = indentOf(line)
      const end = lines.findIndex((later, index) => index > at && indentOf(later) <= depth)
      const body = lines.slice(at + 1, end < 0 ? lines.length : end)
      if (!/^ *(SubPlan|InitPlan|CTE)/.test(line) || body.length < SHORT) {
        written.push(line)
        continue
      }
      const inner = indentOf(body[0] as string)
      written.push(
        ...this.#once(
          line.trim(),
          body.map(text => text.slice(inner)),
        ).map(text => ' '.repeat(depth) + text),
      )
      at += body.length
    }
    return written
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length
