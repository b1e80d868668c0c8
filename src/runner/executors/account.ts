/**
 * The account of the jobs if Ingot runs as root: an unprivileged user of their own, who can read neither the keys nor the
 * repositories, and cannot reach the socket of the database. The executor of the jobs starts as root, since its program may lie where that
 * user cannot read it, and drops root permanently before its first job (executor.ts).
 */
import { spawnSync } from 'node:child_process'
import { chmod, chown, copyFile, lstat, mkdir, mkdtemp, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The user of the jobs. */
export interface JobUser {
  readonly uid: number
  readonly gid: number
}

/** Ids without an account (platform/db/embedded/account.ts has the database's); jobs of protected references use the next one. */
const own: JobUser = { uid: 60_707, gid: 60_707 }

/** A directory for files that the user of the jobs cannot reach in place. */
const standardShelter = '/var/lib/ingot'

/** The user of jobs; undefined if this process is not root: then jobs run as the same user. */
export const jobUser = (): JobUser | undefined => (process.getuid?.() === 0 ? own : undefined)

/** Parses `uid:gid`, both above 0; undefined for anything else. */
export function parseJobUser(text: string): JobUser | undefined {
  const match = /^([1-9]\d{0,9}):([1-9]\d{0,9})$/.exec(text)
  return match ? { uid: Number(match[1]), gid: Number(match[2]) } : undefined
}

/**
 * Creates the folder of a runner that works as this user, below a directory that only root may enter. If the user cannot get there, the
 * folder lies in the shelter, behind a link.
 * @param folder where the runner keeps its token, and the executors their jobs
 * @returns its true path
 */
export async function openRunnerFolder(folder: string, user: JobUser, shelter: string = standardShelter): Promise<string> {
  await letThrough(dirname(folder))
  const there = await lstat(folder).catch(() => undefined)
  if (!there) {
    if (canEnter(user, dirname(folder))) await mkdir(folder)
    else await linkToShelter(folder, shelter)
  }
  const path = await realpath(folder)
  await chown(path, 0, 0)
  // It contains the token of the runner, readable for root alone.
  await chmod(path, 0o711)
  if (!canEnter(user, path)) throw new Error(`user ${user.uid}, who runs the jobs, cannot enter ${path}: remove ${folder}, and start again`)
  // Files of jobs that ran as root.
  await rm(join(path, 'cache'), { recursive: true, force: true })
  return path
}

/**
 * Makes the folder of a runner that root starts for these users: each of them can get to what is theirs in it. If one of them cannot enter the
 * directory above, which stays as it is, the folder lies in the shelter, behind a link.
 * @returns its true path
 * @throws Error one of them cannot enter the folder that is there
 */
export async function passableFolder(folder: string, users: readonly JobUser[], shelter: string = standardShelter): Promise<string> {
  const above = dirname(folder)
  await mkdir(above, { recursive: true })
  if (!(await lstat(folder).catch(() => undefined))) {
    if (users.every(user => canEnter(user, above))) await mkdir(folder, { mode: 0o711 })
    else await linkToShelter(folder, shelter)
  }
  const path = await realpath(folder)
  await letThrough(path)
  const stopped = users.find(user => !canEnter(user, path))
  if (stopped) throw new Error(`user ${stopped.uid}, who runs jobs, cannot enter ${path}: name another folder by --builds-dir`)
  return path
}

/** Makes a folder in the shelter, and a link to it. */
async function linkToShelter(link: string, shelter: string): Promise<void> {
  await mkdir(shelter, { recursive: true, mode: 0o755 })
  await symlink(await mkdtemp(join(shelter, 'runner-')), link)
}

/** Removes the folder of a runner, and the target of a link there. */
export async function removeRunnerFolder(folder: string): Promise<void> {
  const path = await realpath(folder).catch(() => folder)
  for (const each of [path, folder]) await rm(each, { recursive: true, force: true })
}

/** Lets every user traverse a directory of root's, without listing it; its contents are protected by their own modes. */
async function letThrough(directory: string): Promise<void> {
  const { uid, mode } = await stat(directory)
  if (uid === 0) await chmod(directory, (mode & 0o7777) | 0o011)
}

/**
 * A file that jobs execute, where their user can read it: in place, or as a copy in the shelter.
 * @param name of the copy; each version of the file needs another one
 */
export async function readableFor(user: JobUser, file: string, name: string, shelter: string = standardShelter): Promise<string> {
  if (canDo(user, '[ -r "$1" ]', file)) return file
  const copy = join(shelter, name)
  if (canDo(user, '[ -r "$1" ]', copy)) return copy
  await mkdir(shelter, { recursive: true, mode: 0o755 })
  const partial = `${copy}.new-${process.pid}`
  await copyFile(file, partial)
  await chmod(partial, 0o755)
  await rename(partial, copy)
  return copy
}

/** Switches to the user, permanently. @throws Error the process is not root, or could become root again */
export function dropPrivileges({ uid, gid }: JobUser): void {
  process.umask(0o077)
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (
    process.getuid?.() !== uid ||
    process.geteuid?.() !== uid ||
    process.getgid?.() !== gid ||
    process.getgroups?.().some(group => group !== gid)
  )
    throw new Error('root could not be given up')
  try {
    process.setuid?.(0)
  } catch {
    return
  }
  throw new Error('root could be taken back')
}

/** Can the user enter a directory? The system decides: access lists and mount options count too. */
const canEnter = (user: JobUser, directory: string): boolean => canDo(user, 'cd "$1"', directory)

const canDo = ({ uid, gid }: JobUser, script: string, path: string): boolean =>
  spawnSync('/bin/sh', ['-c', script, 'sh', path], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
