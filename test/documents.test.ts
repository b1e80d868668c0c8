/** What the documents say is true: tables are made from the code, commands are run, and paths lead somewhere. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { instancePermissionsTable, permissionsTable } from '../src/platform/access/rules/in_words.ts'
import { settings } from '../src/platform/settings.ts'
import { program } from '../src/server/cli/program.ts'
import { newDirectory, startIngot } from '../src/server/cli/scene.ts'
import { ciReference, variablesTable } from './ci_reference.ts'
import { compare, compatibilityTable } from './clients/calls/compatibility.ts'
import { assertGenerated, isUpdating } from './golden.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** The document with other text between `<!-- name … -->` and `<!-- /name -->`. */
const between = (name: string, text: string) => (document: string) =>
  document.replace(new RegExp(`(<!-- ${name}: .*? -->\n)[\\s\\S]*?(<!-- /${name} -->)`), (_, begin, end) => `${begin}${text}${end}`)

test('the tables of settings are the ones that the program reads', async () => {
  const rows = Object.entries(settings).map(
    ([name, { env, standard, says }]) => `| \`${name}\` | \`${env}\` | ${standard === '' ? '' : `\`${standard}\``} | ${says} |\n`,
  )
  const table = between('settings', `| Name | Variable | Standard | What it is |\n| --- | --- | --- | --- |\n${rows.join('')}`)

  await assertGenerated('README.md', table)
  await assertGenerated('docs/user/administration.md', table)
})

test('the CI reference has the keys that are read', async () => {
  await assertGenerated('docs/user/ci.md', between('keys', ciReference()))
})

test('the table of variables has every one that jobs are given', async () => {
  await assertGenerated('docs/user/ci.md', between('variables', variablesTable()))
})

test('the tables of permissions are those by which the server decides', async () => {
  const tables = [
    between('permissions of projects', permissionsTable('project')),
    between('permissions of groups', permissionsTable('group')),
    between('permissions of the instance', instancePermissionsTable()),
  ]
  await assertGenerated('docs/user/permissions.md', document => tables.reduce((text, table) => table(text), document))
})

test('calls of published clients are served, or have a reason', async () => {
  const found = await compare()

  assert.deepEqual(
    found.unexplained,
    [],
    'you are here because clients call what is not served: serve it, or give a reason in test/clients/calls/areas.ts',
  )
  await assertGenerated('docs/compatibility.md', between('calls', compatibilityTable(found)))
})

test('the page of quirks lists every "Contract:" comment', async () => {
  const files = globSync('src/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .sort()
  const lists = await Promise.all(
    files.map(async file => contractsIn(await readFile(join(root, file), 'utf8')).map(said => `- ${said} [${file}](../${file})\n`)),
  )

  await assertGenerated('docs/quirks.md', between('contract', lists.flat().join('')))
})

/** The sentences that begin with `Contract:`, to the end of their comment, with the line of code that they are about. */
function contractsIn(source: string): string[] {
  const comments = source.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm)
  return [...comments].flatMap(({ 0: comment, index }) => {
    const code = source
      .slice(index + comment.length)
      .trimStart()
      .split('\n')[0] as string
    const text = comment.replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '').replaceAll(/\s+/g, ' ')
    const said = /\bContract: (.*)$/.exec(text)?.[1]?.trim()
    return said ? [`${said.slice(0, 1).toUpperCase()}${said.slice(1)} At \`\`${code}\`\` in`] : []
  })
}

test('the first project of the README works as it is written', { skip: isUpdating }, async t => {
  const cwd = await newDirectory()
  t.after(() => rm(cwd, { recursive: true, force: true }))
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com', ...args], { cwd })
  await git('init', '-q', '-b', 'trunk')
  await git('commit', '-q', '--allow-empty', '-m', 'A commit of their own')
  const lines = /<!-- first project: .*? -->\n```sh\n([\s\S]*?)```/.exec(await readFile(join(root, 'README.md'), 'utf8'))?.[1] as string
  const ingot = await startIngot(['--data-dir', 'data'], { cwd })

  try {
    const script = lines.replaceAll('127.0.0.1:8080', new URL(ingot.url).host)
    const { stdout } = await run('sh', ['-e', '-c', script], { cwd, env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd } })
    const cloned = await git('-C', 'hello-again', 'log', '--format=%s')

    assert.equal(lines.trimEnd().split('\n').length, 5)
    assert.match(stdout, /"title":"A commit of their own"/)
    assert.equal(cloned.stdout, 'A commit of their own\n')
  } finally {
    await ingot.end('SIGTERM')
  }
})

test('every command that a document names is one of the program, with its options and as many arguments', async () => {
  const commands = program()
  const wrong: string[] = []
  let looked = 0
  for (const document of ['README.md', ...globSync('docs/**/*.md', { cwd: root })]) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, before, line] of text.matchAll(/(^|`)bin\/ingot (\S[^`\n]*)/gm)) {
      looked += 1
      const reason = whyUnknown(commands, line as string, before === '`')
      if (reason) wrong.push(`${document}: bin/ingot ${line}: ${reason}`)
    }
  }

  assert.ok(looked > 30, `${looked} commands were found`)
  assert.deepEqual(wrong, [], 'you are here because a document names a command that cannot be run: correct it')
})

/**
 * Why the program would not take this command line; undefined where it would. What a shell replaces (variables, quotes) is a value.
 * @param isNamed a sentence may name a command without its arguments
 */
function whyUnknown(commands: Command, line: string, isNamed: boolean): string | undefined {
  const words =
    (/^[^|;&#>]*/.exec(line.replaceAll(/<[^>]*>/g, 'value'))?.[0] ?? '').trim().match(/(?:"[^"]*"|'[^']*'|\$\([^)]*\)|[^\s"'$]|\$)+/g) ?? []
  let command = commands
  const values: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const inner = values.length === 0 && command.commands.find(each => each.name() === word)
    if (inner) command = inner
    else if (!word.startsWith('--')) values.push(word)
    else {
      const [name = '', value] = word.split('=', 2)
      const option = command.options.find(({ long }) => long === name)
      if (!option && name !== '--help' && name !== '--version') return `${name} is no option of it`
      if (option && (option.required || option.optional) && value === undefined) at += 1
    }
  }
  if (command.commands.length > 0 && values.length > 0) return `${values[0]} is no command`
  if (isNamed && values.length === 0) return undefined
  const taken = command.registeredArguments
  const least = taken.filter(({ required }) => required).length
  const most = taken.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : taken.length
  if (values.length < least || values.length > most) return `it takes ${least} to ${most} arguments, not ${values.length}`
  return undefined
}

test('every path that a document names is there', async () => {
  const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
  for (const document of documents) {
    const text = await readFile(join(root, document), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|docs|bin|bench)\/[\w./-]+)`/g)].map(([, path]) => path as string)
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path]) => join(document, '..', path as string))
    for (const path of [...named, ...linked].filter(path => !examples.test(path)))
      assert.equal(
        existsSync(join(root, path)),
        true,
        `you are here because ${document} names ${path}, which is not there: correct the document`,
      )
  }
})

/** What the checklist makes up to show where a new resource goes. */
const examples = /badges/
