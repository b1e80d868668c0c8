/**
 * A cluster as one file: made once, it is the beginning of others, which then need neither initdb nor migrations. One file is on the disk
 * or is not; of a folder of two thousand, a crash of the machine may leave some empty.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, open, rename, rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { User } from './account.ts'
import { EmbeddedError } from './error.ts'
import { plainEnvironment } from './settings.ts'

/**
 * Puts a cluster, whose server has stopped, into a file. It has its name when it is complete and on the disk.
 * @throws EmbeddedError tar fails; the system's error where the file cannot be written
 */
export async function packCluster(directory: string, file: string, user: User | undefined): Promise<void> {
  const partial = `${file}.new-${process.pid}`
  const handle = await open(partial, 'w', 0o600)
  try {
    await tar(['-cf', '-', '-C', directory, '.'], user, { output: handle.fd })
    await handle.sync()
    await handle.close()
    await rename(partial, file)
  } catch (error) {
    await handle.close()
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Makes a folder of the database's user with the files of such a cluster. Whether they are on the disk is not waited for.
 * @throws EmbeddedError tar fails; the system's error where there is no file
 */
export async function unpackCluster(file: string, directory: string, user: User | undefined): Promise<void> {
  await using handle = await open(file)
  await mkdir(directory, { mode: 0o700 })
  if (user) await chown(directory, user.uid, user.gid)
  await tar(['-xpf', '-', '-C', directory], user, { input: handle.fd })
}

/** Runs tar as the database's user: what it reads and writes is that user's, who need not reach the archive itself. */
async function tar(args: string[], user: User | undefined, { input, output }: { input?: number; output?: number }): Promise<void> {
  const stdio = [input ?? 'ignore', output ?? 'ignore', 'pipe'] as const
  const child = spawn('tar', args, { ...user, cwd: '/', env: plainEnvironment, stdio: [...stdio] })
  const printed = text(child.stderr!)
  const [status] = await once(child, 'close').catch(cause => {
    throw new EmbeddedError(`tar did not start (${cause.code})`, { cause })
  })
  if (status !== 0) throw new EmbeddedError(`tar failed: ${(await printed).trim()} (status ${status})`)
}
