/** A streaming parser of JUnit XML. Test tools write it in many dialects; these are supported (unit test reports at 14.0). */
import type { TextDecoder } from 'node:util'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { decoderFor } from './xml_text.ts'

/** A test case, as the API shows it. */
export interface TestCase {
  readonly status: TestStatus
  readonly name: string
  readonly classname: string | null
  readonly file: string | null
  /** In seconds. */
  readonly execution_time: number
  /** The failure message; for skipped cases, the reason. */
  readonly system_output: string | null
  readonly stack_trace: string | null
  /** The `message` of a failure whose element has text besides; the API shows the text alone. */
  readonly message?: string | undefined
}

export type TestStatus = 'success' | 'failed' | 'skipped' | 'error'

export const isFailure = ({ status }: Pick<TestCase, 'status'>): boolean => status === 'failed' || status === 'error'

/** The report cannot be read; the message says why. */
export class UnfitReport extends Error {
  override name = 'UnfitReport'
}

/** Limits of one report: cases, and characters of all of them together. */
const MAX_CASES = 100_000
const MAX_TEXT = 32 * 1024 * 1024
/** Maximum characters of one case's message. */
const MAX_OUTPUT = 64 * 1024
/** Maximum depth of elements. */
const MAX_DEPTH = 64

/** The parsed cases, of several files one after the other. */
export class CaseReader {
  readonly cases: TestCase[] = []
  #text = 0

  /** Parses one file. @throws UnfitReport */
  async read(pieces: AsyncIterable<Buffer>): Promise<void> {
    let decoder: TextDecoder | undefined
    const parser = new SaxesParser()
    const reading = new Reading(testCase => this.#add(testCase))
    parser.on('error', error => {
      throw new UnfitReport(`JUnit XML parsing failed: ${error.message}`)
    })
    parser.on('doctype', () => {})
    parser.on('opentag', tag => reading.open(tag))
    parser.on('closetag', ({ name }) => reading.close(name))
    parser.on('text', text => reading.say(text))
    parser.on('cdata', text => reading.say(text))
    for await (const piece of pieces) {
      if (piece.length === 0) continue
      decoder ??= decoderFor(piece)
      parser.write(decoder.decode(piece, { stream: true }))
    }
    if (decoder) parser.write(decoder.decode()).close()
  }

  #add(testCase: TestCase): void {
    this.#text += testCase.name.length + (testCase.system_output?.length ?? 0) + (testCase.classname?.length ?? 0) + 200
    if (this.cases.length >= MAX_CASES || this.#text > MAX_TEXT) throw new UnfitReport('JUnit data parsing failed: the report is too large')
    this.cases.push(testCase)
  }
}

const outcomes: Readonly<Record<string, TestStatus>> = { failure: 'failed', error: 'error', skipped: 'skipped' }

/** The state of the parser within a document. */
class Reading {
  readonly #done: (testCase: TestCase) => void
  #depth = 0
  #testCase:
    | {
        attributes: Record<string, string>
        status: TestStatus
        outcome: string | undefined
        message?: string | undefined
        printed: string | undefined
      }
    | undefined
  /** The element whose text is collected. */
  #element: { name: string; depth: number; text: string } | undefined

  constructor(done: (testCase: TestCase) => void) {
    this.#done = done
  }

  open({ name, attributes }: SaxesTagPlain): void {
    if (++this.#depth > MAX_DEPTH) throw new UnfitReport('JUnit XML parsing failed: elements are nested too deeply')
    if (name === 'testcase') this.#testCase = { attributes, status: 'success', outcome: undefined, printed: undefined }
    if (!this.#testCase || this.#element) return
    const status = outcomes[name]
    if (status !== undefined && this.#testCase.status === 'success') {
      this.#testCase.status = status
      // The `message` attribute, if the element has no text.
      this.#testCase.outcome = attributes.message?.slice(0, MAX_OUTPUT)
    }
    if (status !== undefined || name === 'system-out' || name === 'system-err') this.#element = { name, depth: this.#depth, text: '' }
  }

  say(text: string): void {
    if (this.#element && this.#element.text.length < MAX_OUTPUT) this.#element.text += text.slice(0, MAX_OUTPUT - this.#element.text.length)
  }

  close(name: string): void {
    if (this.#element?.depth === this.#depth && this.#testCase) {
      const said = this.#element.text.trim()
      if (outcomes[this.#element.name] === undefined) this.#testCase.printed ??= said
      else if (said !== '') {
        // What a tool repeats in the text need not be shown twice.
        if (this.#testCase.outcome && !said.includes(this.#testCase.outcome)) this.#testCase.message = this.#testCase.outcome
        this.#testCase.outcome = said
      }
      this.#element = undefined
    }
    this.#depth -= 1
    if (name !== 'testcase' || !this.#testCase) return
    const { attributes, status, outcome, message, printed } = this.#testCase
    this.#testCase = undefined
    this.#done({
      status,
      name: storable(attributes.name ?? ''),
      classname: attributes.classname === undefined ? null : storable(attributes.classname),
      file: attributes.file === undefined ? null : storable(attributes.file),
      execution_time: secondsOf(attributes.time),
      system_output: status === 'success' ? null : storable(outcome ?? printed ?? '') || null,
      stack_trace: null,
      ...(message !== undefined && { message: storable(message) }),
    })
  }
}

/** Names are shown in lists, so their length is limited too. */
const storable = (text: string): string => text.slice(0, MAX_OUTPUT).toWellFormed()

/** Parses `1,234.5` too. */
function secondsOf(time: string | undefined): number {
  const seconds = Number((time ?? '').replaceAll(',', ''))
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : 0
}
