/** Bodies of package managers that are JSON, and no files. */
import type { Readable } from 'node:stream'
import { parseJson } from '../../../../platform/bounded_json.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'

/** The JSON of a body. @throws Refusal 400 for one that is none, or has more characters */
export async function jsonIn(body: Readable, most: number, refusal: string): Promise<unknown> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > most) throw badRequest(refusal)
  }
  try {
    return parseJson(text)
  } catch {
    throw badRequest(refusal)
  }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
