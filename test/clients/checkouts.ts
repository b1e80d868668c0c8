/** What the tests of git share: repositories on people's disks, and projects that they push to. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MemberRole, Person, ProjectOptions, Scene, SceneProject } from '../scene.ts'
import type { Outcome, Workbench } from './workbench.ts'

/** User name and password as git sends them. The name does not matter beside a token. */
export interface Credentials {
  readonly user?: string
  readonly password: string
}

export interface Checkouts {
  /** Runs git in a directory; it must succeed. Gives what it printed, without the end of the last line. */
  git(directory: string, ...args: string[]): Promise<string>
  /** Runs git in a directory, where it may fail. */
  attempt(directory: string, ...args: string[]): Promise<Outcome>
  /** A path that nothing has taken yet. */
  place(noun: string): string
  /** The address of a project's repository, with credentials in it where some are given. */
  address(project: SceneProject, credentials?: Credentials): string
  /** The address as a user enters it, with their token. */
  addressFor(project: SceneProject, person: Person): string
  clone(url: string, ...options: string[]): Promise<string>
  /** Writes files and commits them all; gives the commit's id. */
  commit(directory: string, files: Readonly<Record<string, string | Buffer>>, message?: string): Promise<string>
  /** A repository such as people have: a merge, tags of both kinds, odd names, bytes, a link, an executable. */
  livedInRepository(): Promise<string>
  /** A project to whose `main` its owner has pushed one commit, and the owner's repository. */
  pushedProject<const M extends MemberRole = never>(
    options?: ProjectOptions<M>,
  ): Promise<{ project: SceneProject; owner: Person; directory: string } & Record<M, Person>>
  /** `<id> <reference>` for each reference of a repository on disk, remotes' left out. */
  references(directory: string): Promise<string[]>
  /** The same for each reference that a server shows. */
  remoteReferences(url: string): Promise<string[]>
}

const config = `[user]
	name = Ida Example
	email = ida@example.com
[init]
	defaultBranch = main
`

/** Makes a workbench ready for git. */
export async function openCheckouts(scene: Scene, workbench: Workbench): Promise<Checkouts> {
  await writeFile(join(workbench.directory, '.gitconfig'), config)
  let places = 0

  const attempt: Checkouts['attempt'] = (directory, ...args) => workbench.attempt('git', args, { cwd: directory })
  const git: Checkouts['git'] = async (directory, ...args) => (await workbench.run('git', args, { cwd: directory })).trimEnd()
  const place = (noun: string) => join(workbench.directory, `${noun}-${++places}`)

  function address(project: SceneProject, credentials?: Credentials): string {
    const url = new URL(`${scene.url}/${project.full_path}.git`)
    if (credentials) {
      url.username = encodeURIComponent(credentials.user ?? 'anybody')
      url.password = encodeURIComponent(credentials.password)
    }
    return url.href
  }
  const addressFor: Checkouts['addressFor'] = (project, person) => address(project, { user: person.username, password: person.token })

  async function clone(url: string, ...options: string[]): Promise<string> {
    const directory = place('clone')
    await git(workbench.directory, 'clone', '--quiet', ...options, url, directory)
    return directory
  }

  const commit: Checkouts['commit'] = async (directory, files, message = 'Change files') => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(directory, path, '..'), { recursive: true })
      await writeFile(join(directory, path), content)
    }
    await git(directory, 'add', '--all')
    await git(directory, 'commit', '--quiet', '--message', message)
    return git(directory, 'rev-parse', 'HEAD')
  }

  async function newRepository(): Promise<string> {
    const directory = place('repository')
    await git(workbench.directory, 'init', '--quiet', directory)
    await commit(directory, { 'README.md': '# Begin\n' }, 'Begin')
    return directory
  }

  return {
    git,
    attempt,
    place,
    address,
    addressFor,
    clone,
    commit,
    async livedInRepository() {
      const directory = await newRepository()
      await symlink('README.md', join(directory, 'link'))
      await commit(directory, {
        'src/main.c': 'int main(void) { return 0; }\n',
        'docs/größe & more/a b.txt': 'spaces\n',
        'bytes.bin': Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * index) % 251)),
        'crlf.txt': 'one\r\ntwo\r\n',
        empty: '',
        'run.sh': '#!/bin/sh\n',
      })
      await git(directory, 'update-index', '--chmod=+x', 'run.sh')
      await git(directory, 'commit', '--quiet', '--message', 'Make it run')
      await git(directory, 'tag', 'light')
      await git(directory, 'checkout', '--quiet', '-b', 'feature/one')
      await commit(directory, { 'feature.txt': 'feature\n' }, 'Add a feature')
      await git(directory, 'checkout', '--quiet', 'main')
      await commit(directory, { 'src/more.c': '' }, 'Go on')
      await git(directory, 'merge', '--quiet', '--no-ff', '--message', 'Merge the feature', 'feature/one')
      await git(directory, 'tag', '--annotate', '--message', 'The first one', 'v1.0')
      return directory
    },
    async pushedProject(options) {
      const world = await scene.project(options)
      const directory = await newRepository()
      await git(directory, 'remote', 'add', 'origin', addressFor(world.project, world.owner))
      await git(directory, 'push', '--quiet', '--set-upstream', 'origin', 'main')
      return { ...world, directory }
    },
    async references(directory) {
      const lines = await git(directory, 'for-each-ref', '--format=%(objectname) %(refname)')
      return lines.split('\n').filter(line => !line.includes(' refs/remotes/'))
    },
    async remoteReferences(url) {
      const lines = await git(workbench.directory, 'ls-remote', '--refs', url)
      return lines === '' ? [] : lines.split('\n').map(line => line.replace('\t', ' '))
    },
  }
}
