import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GitCommand, type LfsCommand, parseCommand, splitWords } from './command.ts'

const fetch = (path: string): GitCommand => ({ service: 'git-upload-pack', path })

const commands: readonly [line: string, command: GitCommand | LfsCommand | undefined][] = [
  ["git-upload-pack 'group/project.git'", fetch('group/project')],
  ["git-upload-pack '/group/project.git'", fetch('group/project')],
  ["git upload-pack 'group/project'", fetch('group/project')],
  ['git-upload-pack group/project.git', fetch('group/project')],
  ['git-upload-pack "/group/sub/project.git/"', fetch('group/sub/project')],
  ["git-receive-pack 'a/b'", { service: 'git-receive-pack', path: 'a/b' }],
  ["git-upload-archive 'a/b'", { service: 'git-upload-archive', path: 'a/b' }],
  ["git-upload-pack 'it'\\''s/a path'", fetch("it's/a path")],
  ['git-lfs-authenticate a/b.git download', { service: 'git-lfs-authenticate', path: 'a/b', operation: 'download' }],
  ['git-lfs-authenticate a/b.git upload 0a1b', { service: 'git-lfs-authenticate', path: 'a/b', operation: 'upload' }],
  ['git-lfs-authenticate a/b.git', undefined],
  ['git-lfs-authenticate a/b.git delete', undefined],
  ["git-upload-pack 'a/b' --strict", undefined],
  ["git-upload-pack --strict 'a/b'", undefined],
  ['git-upload-pack', undefined],
  ["git-upload-pack 'a/b", undefined],
  ["git-upload-pack 'a/b'; id", undefined],
  ['git', undefined],
  ['ls -l', undefined],
  ['', undefined],
  ['scp -t /etc/passwd', undefined],
  ['constructor a/b', undefined],
]

test('git’s services on a path are parsed, and nothing else', () => {
  for (const [line, command] of commands) assert.deepEqual(parseCommand(line), command, line)
})

const lines: readonly [line: string, words: string[] | undefined][] = [
  ['a  b\tc', ['a', 'b', 'c']],
  ["'a b'c", ['a bc']],
  ["''", ['']],
  ['"a\\"b" \\\'', ['a"b', "'"]],
  ['$HOME `id` *', ['$HOME', '`id`', '*']],
  ['"open', undefined],
  ['end\\', undefined],
]

test('quotes work as in a shell, and nothing is expanded', () => {
  for (const [line, words] of lines) assert.deepEqual(splitWords(line), words, line)
})
