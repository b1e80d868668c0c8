/** The languages of the editor, by the ending of a file's name. Each is a script of its own, loaded when a file needs it. */
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'

const legacy = (parser: StreamParser<unknown>): LanguageSupport => new LanguageSupport(StreamLanguage.define(parser))

const javascript = async (options: { readonly typescript?: boolean; readonly jsx?: boolean } = {}) =>
  (await import('@codemirror/lang-javascript')).javascript(options)
const cpp = async () => (await import('@codemirror/lang-cpp')).cpp()
const html = async () => (await import('@codemirror/lang-html')).html()
const css = async () => (await import('@codemirror/lang-css')).css()
const markdown = async () => (await import('@codemirror/lang-markdown')).markdown()
const yaml = async () => (await import('@codemirror/lang-yaml')).yaml()
const xml = async () => (await import('@codemirror/lang-xml')).xml()
const shell = async () => legacy((await import('@codemirror/legacy-modes/mode/shell')).shell)
const ruby = async () => legacy((await import('@codemirror/legacy-modes/mode/ruby')).ruby)

const byEnding: Readonly<Record<string, () => Promise<LanguageSupport>>> = {
  js: () => javascript(),
  mjs: () => javascript(),
  cjs: () => javascript(),
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  mts: () => javascript({ typescript: true }),
  cts: () => javascript({ typescript: true }),
  tsx: () => javascript({ typescript: true, jsx: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  html,
  htm: html,
  vue: html,
  svelte: html,
  css,
  scss: css,
  less: css,
  md: markdown,
  markdown,
  py: async () => (await import('@codemirror/lang-python')).python(),
  yml: yaml,
  yaml,
  xml,
  svg: xml,
  go: async () => (await import('@codemirror/lang-go')).go(),
  rs: async () => (await import('@codemirror/lang-rust')).rust(),
  java: async () => (await import('@codemirror/lang-java')).java(),
  c: cpp,
  h: cpp,
  cc: cpp,
  cpp,
  hpp: cpp,
  php: async () => (await import('@codemirror/lang-php')).php(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  sh: shell,
  bash: shell,
  zsh: shell,
  rb: ruby,
  gemfile: ruby,
  rakefile: ruby,
  toml: async () => legacy((await import('@codemirror/legacy-modes/mode/toml')).toml),
  dockerfile: async () => legacy((await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
}

/** The language of a file by its name; undefined for one that is not known. */
export async function languageOf(path: string): Promise<LanguageSupport | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return byEnding[name.slice(name.lastIndexOf('.') + 1)]?.()
}
