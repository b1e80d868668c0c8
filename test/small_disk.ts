/** File systems in memory that take little or nothing. Mounting one takes root. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { atEnd } from './at_end.ts'

const execute = promisify(execFile)

/** Puts a disk with these options (`size=16k`, `ro`) at an empty folder until the end of the file's tests; false where that is not allowed. */
export async function mountDisk(folder: string, options: string): Promise<boolean> {
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  } catch {
    return false
  }
  atEnd(async () => void (await execute('umount', ['-l', folder])))
  return true
}
