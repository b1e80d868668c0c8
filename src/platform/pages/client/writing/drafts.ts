/** Texts that were typed and not sent, in the browser's storage: they are there again after a reload, a lost connection or an ended session. */

const PREFIX = 'draft:'

/** Milliseconds after which a draft is forgotten. */
const VALID = 30 * 86_400_000

/** Milliseconds since 1970. */
const now = (): number => performance.timeOrigin + performance.now()

interface Draft {
  readonly text: string
  /** What the field had when it was typed: a draft of another state of the text is not shown. */
  readonly over: string
  readonly at: number
}

/** Field and address; accounts that share a browser do not see each other's. */
const keyOf = (field: HTMLTextAreaElement): string => {
  const person = document.querySelector('meta[name=person]')?.getAttribute('content') ?? ''
  return `${PREFIX}${person}:${field.form?.getAttribute('action') ?? window.location.pathname}:${field.name}`
}

/** The storage may be refused by the browser; then there are no drafts. */
function storage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

function read(key: string): Draft | undefined {
  const text = storage()?.getItem(key)
  if (!text) return undefined
  try {
    return JSON.parse(text) as Draft
  } catch {
    return undefined
  }
}

/** Shows the draft of a field, and keeps what is typed from now on. */
export function keepDraft(field: HTMLTextAreaElement, signal: AbortSignal): void {
  const key = keyOf(field)
  const draft = read(key)
  if (draft && draft.over === field.defaultValue && field.value === field.defaultValue && now() - draft.at < VALID) field.value = draft.text
  field.addEventListener(
    'input',
    () => {
      if (field.value === field.defaultValue) return forgetDraft(field)
      const kept: Draft = { text: field.value, over: field.defaultValue, at: now() }
      try {
        storage()?.setItem(key, JSON.stringify(kept))
      } catch (error) {
        // Full: the text is in the field all the same.
        if (!(error instanceof DOMException)) throw error
      }
    },
    { signal },
  )
}

/** Forgets the draft of a field: it was sent. */
export const forgetDraft = (field: HTMLTextAreaElement): void => storage()?.removeItem(keyOf(field))
