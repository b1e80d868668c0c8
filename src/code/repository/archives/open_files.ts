/** The files of archives that are being written or read. Each takes room on the disk, also after the cache has evicted it, until its last handle is closed. */
import type { EventEmitter } from 'node:events'
import type { FileHandle } from 'node:fs/promises'

interface OpenFile {
  /** Who opened it first. */
  readonly holder: string
  bytes: number
  handles: number
}

export class OpenFiles {
  readonly #files = new Map<number, OpenFile>()

  /** Bytes of these files, or of those whose holders are among some. */
  bytes(isCounted: (holder: string) => boolean = () => true): number {
    let sum = 0
    for (const { holder, bytes } of this.#files.values()) if (isCounted(holder)) sum += bytes
    return sum
  }

  /** Counts the file of a handle until the handle is closed. The returned function counts bytes that are added. */
  async add(handle: FileHandle, holder: string): Promise<(bytes: number) => void> {
    const { ino, size } = await handle.stat()
    const file = this.#files.get(ino) ?? { holder, bytes: size, handles: 0 }
    file.handles += 1
    this.#files.set(ino, file)
    // The types of Node leave out that a handle is one.
    ;(handle as unknown as EventEmitter).once('close', () => {
      file.handles -= 1
      if (file.handles === 0) this.#files.delete(ino)
    })
    return added => {
      file.bytes += added
    }
  }
}
