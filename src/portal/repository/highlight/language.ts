/** The language that a file is highlighted in, by its name. Pure. */

/** Names without an extension that say it, and extensions that the highlighter knows by another name. */
const byName: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  rakefile: 'ruby',
  gemfile: 'ruby',
  vagrantfile: 'ruby',
  jenkinsfile: 'groovy',
  'cmakelists.txt': 'cmake',
  '.bashrc': 'bash',
  '.profile': 'bash',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  '.npmrc': 'ini',
}

const byEnding: Readonly<Record<string, string>> = {
  mts: 'typescript',
  cts: 'typescript',
  mjs: 'javascript',
  cjs: 'javascript',
  svg: 'xml',
  h: 'c',
  hpp: 'cpp',
  tf: 'ini',
  lock: 'yaml',
  conf: 'ini',
  vue: 'xml',
  svelte: 'xml',
}

/** As the highlighter calls it; the caller asks whether it has it. Undefined for a name that says nothing. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const [, ending] = /\.([a-z0-9_+-]+)$/.exec(name) ?? []
  return byName[name] ?? (ending === undefined ? undefined : (byEnding[ending] ?? ending))
}
