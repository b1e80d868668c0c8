/**
 * Values that must not be shown by mistake: the value of a variable, a token, a password, a key. Imports nothing of ours, so that every
 * module may use it.
 */
import { inspect } from 'node:util'

/** What debuggers and assertions print. */
const HIDDEN = '[secret]'

/** A secret was about to be printed. The stack trace shows where. */
export class SecretPrinted extends TypeError {
  constructor() {
    super('A secret cannot become text or JSON by itself. Call reveal() in one of the files that test/derived/secrets.test.ts names')
  }
}

/**
 * A text that throws in templates, concatenations, error messages, log lines and JSON, so that tests find each attempt. `util.inspect`
 * prints `[secret]`, and a structured clone is an empty object. Only `reveal` returns the text; the test of the same name counts its
 * callers. `assert.deepEqual` treats all secrets as equal: tests compare the results of `reveal`.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The secret of a text; a secret is returned as it is. */
  static of(value: string | Secret): Secret {
    return value instanceof Secret ? value : new Secret(value)
  }

  /** The text. The caller is responsible for where the text goes. */
  reveal(): string {
    return this.#text
  }

  /** Is this the same text as another secret's? */
  equals(other: Secret): boolean {
    return this.#text === other.#text
  }

  toString(): never {
    throw new SecretPrinted()
  }

  toJSON(): never {
    throw new SecretPrinted()
  }

  [Symbol.toPrimitive](): never {
    throw new SecretPrinted()
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
