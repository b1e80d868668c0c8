/** The messages of a refusal as sentences for `errors`. */
import { type Failures, type Refusal, sentenceOf } from '../../../platform/kernel/errors.ts'

/** A parameter in words: `source_branch` is `Source branch`. */
function inWords(parameter: string): string {
  const words = parameter.replace(/_ids?$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is wrong with each parameter, as a sentence about it. */
const sentencesOf = (failures: Failures): string[] =>
  Object.entries(failures).flatMap(([parameter, wrong]) =>
    Array.isArray(wrong)
      ? wrong.map(message => (parameter === 'base' ? message : `${inWords(parameter)} ${message}`))
      : sentencesOf(wrong as Failures),
  )

/** The sentences of a refusal; the words of its status are left out. */
export function messagesOf(refusal: Refusal): readonly string[] {
  const { message } = (refusal.body ?? {}) as { readonly message?: unknown }
  if (Array.isArray(message)) return message.map(String)
  if (typeof message === 'object' && message !== null && !('error' in message)) return sentencesOf(message as Failures)
  return [sentenceOf(refusal).replace(/^\d{3} [\w ()]+? - /, '')]
}
