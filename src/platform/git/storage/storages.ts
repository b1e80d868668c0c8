/** The storages that repositories live in, by the name that projects carry as `repository_storage`. */
import type { Repository } from './repository.ts'
import type { RepositoryStorage } from './storage.ts'

export class RepositoryStorages {
  readonly #storages: ReadonlyMap<string, RepositoryStorage>

  constructor(storages: readonly RepositoryStorage[]) {
    this.#storages = new Map(storages.map(storage => [storage.name, storage]))
  }

  has(name: string): boolean {
    return this.#storages.has(name)
  }

  /** The storage of this name; a project names only storages that exist. */
  get(name: string): RepositoryStorage {
    const storage = this.#storages.get(name)
    if (!storage) throw new Error(`there is no repository storage "${name}"`)
    return storage
  }

  /** Every storage. */
  all(): readonly RepositoryStorage[] {
    return [...this.#storages.values()]
  }

  /** The repository of a project, whether it exists on disk yet or not: an empty project has none until something is pushed. */
  repository(project: { readonly id: number; readonly repository_storage: string }): Repository {
    return this.get(project.repository_storage).repository(project.id)
  }

  /** Ends the long-lived git readers. */
  async close(): Promise<void> {
    await Promise.all([...this.#storages.values()].map(storage => storage.close()))
  }
}
