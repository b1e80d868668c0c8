/** Files that only Ingot's user may read. They are there as a whole or not at all, whenever the machine stops. */
import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes the file, in place of the one that is there. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await throughTemporary(file, text, temporary => rename(temporary, file))
}

/** Writes the file unless there is one; returns whether it did. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  let created = true
  await throughTemporary(file, text, async temporary => {
    try {
      // Unlike a rename, a link never replaces what another process has put there meanwhile.
      await link(temporary, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      created = false
    }
  })
  return created
}

async function throughTemporary(file: string, text: string, publish: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await publish(temporary)
    await syncDirectory(dirname(file))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Makes the name of a new file as durable as its contents. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
