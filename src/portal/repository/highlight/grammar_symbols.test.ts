import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasSymbols, MOST_SYMBOLS, symbolsIn } from './grammar_symbols.ts'

/** One line for each symbol: as deep as it is, its kind, its name, its line. */
const listed = (text: string, language: string): string[] =>
  symbolsIn(text, language).map(({ name, kind, line, depth }) => `${'  '.repeat(depth)}${kind} ${name} ${line}`)

const examples: Readonly<Record<string, readonly [text: string, symbols: readonly string[]]>> = {
  ts: [
    `export class A {
  x = 1; foo(a: number) {}
  static async *#p() {}
  y = () => 1
}
interface I { m(): void }
type T = number
enum E { A }
namespace N { function inner() {} }
export const f = (x: number) => x, g = function () {}
let z = 1
export default async function main() { function own() {} }
test('x', () => { function deep() {} })
`,
    [
      ...['class A 1', '  method foo 2', '  method #p 3', '  function y 4', 'interface I 6', 'type T 7', 'enum E 8'],
      ...['namespace N 9', '  function inner 9', 'function f 10', 'function g 10', 'function main 12', 'function deep 13'],
    ],
  ],
  tsx: ['export const View = () => <p>{1}</p>\n', ['function View 1']],
  js: ['const A = class { m() {} }\nfunction* gen() {}\n', ['class A 1', '  method m 1', 'function gen 2']],
  py: [
    'class A(B):\n    @x\n    async def g(self):\n        def own(): pass\n\ndef h():\n    pass\n',
    ['class A 1', '  function g 3', 'function h 6'],
  ],
  go: [
    'package x\ntype T struct { a int }\ntype (\n A int\n)\nfunc F(a int) {}\nfunc (t *T) M() {}\n',
    ['type T 2', 'type A 4', 'function F 6', 'method (t *T) M 7'],
  ],
  rs: [
    'mod m {\n pub fn f() {}\n}\nimpl T for S { fn q(&self) {} }\nmacro_rules! mm { () => {} }\n',
    ['module m 1', '  function f 2', 'impl T for S 4', '  function q 4', 'macro mm 5'],
  ],
  java: [
    'class A<T> {\n  A() {}\n  void f() {}\n}\ninterface I { void g(); }\nrecord R(int a) {}\n',
    ['class A 1', '  constructor A 2', '  method f 3', 'interface I 5', '  method g 5', 'record R 6'],
  ],
  cpp: [
    'namespace n { class A { void f() {} int g(); ~A() {} }; class Elsewhere; }\nvoid n::A::h() {}\nstatic int *p(void) { }\nT& r() { }\nenum E { X };\n',
    [
      'namespace n 1',
      '  class A 1',
      '    function f 1',
      '    function ~A 1',
      'function n::A::h 2',
      'function p 3',
      'function r 4',
      'enum E 5',
    ],
  ],
  php: ['<?php class A { public function f() {} }\nfunction g() {}', ['class A 1', '  method f 1', 'function g 2']],
  md: ['# One\nTwo\n===\n## Three *em* ##\n```\n# no\n```\n#### \n', ['heading 1 One 1', 'heading 1 Two 2', '  heading 2 Three *em* 4']],
}

test('what a file defines is listed in its order, by the grammar of its language', () => {
  for (const [language, [text, symbols]] of Object.entries(examples)) assert.deepEqual(listed(text, language), symbols, language)
})

test('languages without a grammar, and names that objects have anyway, have no symbols', () => {
  for (const name of ['constructor', '__proto__', 'json', 'nothing']) {
    assert.equal(hasSymbols(name), false, name)
    assert.deepEqual(symbolsIn('function f() {}', name), [])
  }
})

test('files that are no programs, of many symbols, or with names without end are bounded', () => {
  assert.ok(symbolsIn('\0\u{fffd}}}}((class', 'ts').length <= 1)
  assert.equal(symbolsIn('function f() {}\n'.repeat(2_000), 'js').length, MOST_SYMBOLS)
  assert.equal(symbolsIn(`function ${'f'.repeat(5_000)}() {}`, 'js')[0]?.name.length, 120)
})

test('signs around a heading are left out', () => {
  assert.deepEqual(listed('# C# ##  \n\nC#\n---\n', 'md'), ['heading 1 C 1', '  heading 2 C# 3'])
})

test('a text that takes its parser too long is given up', () => {
  const begun = performance.now()
  assert.deepEqual(symbolsIn(`function f() {}${'{'.repeat(500_000)}${'('.repeat(500_000)}`, 'js'), [])
  assert.ok(performance.now() - begun < 10_000)
})
