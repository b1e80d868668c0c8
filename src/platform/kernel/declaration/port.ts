/**
 * A port: what a wing asks of the wings above it, as a type that it declares itself. The composition root provides the value once
 * (`src/server/ports.ts`), so that imports point downwards only.
 */
export class Port<T> {
  readonly #name: string
  #value: T | undefined

  /** @param name for the messages of mistakes: that of the constant */
  constructor(name: string) {
    this.#name = name
  }

  /** Connects the port. Called once, when the program is put together. */
  provide(value: T): void {
    if (this.#value !== undefined) throw new Error(`port ${this.#name} is provided twice: see src/server/ports.ts`)
    this.#value = value
  }

  /** What was provided. Throws before the program is put together: a module must not use a port while it loads. */
  get value(): T {
    if (this.#value === undefined) throw new Error(`port ${this.#name} is not provided: see src/server/ports.ts`)
    return this.#value
  }
}
