/** The page that resolves conflicts: each file with both sides of each conflict, to choose from or to edit. Pure. */
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type {
  FileConflict,
  OtherConflict,
  Reason,
  TextConflict,
  WholeConflict,
} from '../../../review/merge_requests/merging/conflicts/conflict.ts'
import { type Part, textWithMarkers } from '../../../review/merge_requests/merging/conflicts/three_way.ts'

/** What was decided before, by the keys of conflicts and files. */
export interface Decided {
  readonly choices: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
}

export interface ConflictsView {
  readonly files: readonly FileConflict[]
  readonly source: string
  readonly target: string
  readonly decided: Decided
  /** May the caller resolve them? Otherwise they are shown alone. */
  readonly mayResolve: boolean
}

/** Settled lines that are shown around a conflict. */
const AROUND = 3

/** Why a file cannot be merged line by line, and what can be done. */
const reasons: Readonly<Record<Reason, string>> = {
  deleted: 'One side changed the file, and the other one deleted it.',
  binary: 'The file is not a text in UTF-8: one side is taken as it is.',
  large: 'The file is too large to be merged here by its lines: one side is taken as it is, or it is merged on your computer.',
  modes: 'The sides differ in whether the file can be run: one side is taken as it is.',
  names: 'The name of the file cannot be shown as it is: resolve it on your computer.',
  submodule: 'The sides name different commits of a submodule: resolve it on your computer.',
  kinds: 'The sides renamed the file, or one put a directory or a link in its place: resolve it on your computer.',
}

const number = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** All files in conflict. */
export const conflictFiles = (view: ConflictsView): Html => html`<div class="stack">${view.files.map(file => fileView(file, view))}</div>`

function fileView(file: FileConflict, view: ConflictsView): Html {
  const id = `conflict-${file.key}`
  const facts = file.kind === 'text' ? chip(number(file.keys.length, 'conflict'), 'attention') : chip('As a whole', 'attention')
  return html`<section class="panel conflict-file" id="${id}" aria-labelledby="${id}-name" data-conflict-file><header class="row apart"><div class="row"><h2 id="${id}-name" class="mono">${file.path}</h2>${copyButton(`Copy the path ${file.path}`, file.path)}</div><div class="row">${file.kind === 'elsewhere' ? chip('Not here', 'danger', 'alert') : facts}</div></header>${
    file.kind === 'text' ? textView(file, view) : file.kind === 'whole' ? wholeView(file, view) : elsewhereView(file)
  }</section>`
}

const elsewhereView = ({ reason }: OtherConflict): Html => html`<p class="body muted">${reasons[reason]}</p>`

const sides = ['ours', 'theirs'] as const

const labelOf = (side: 'ours' | 'theirs', { source, target }: ConflictsView): Html =>
  side === 'ours' ? html`Use ours <span class="mono muted">${source}</span>` : html`Use theirs <span class="mono muted">${target}</span>`

function wholeView(file: WholeConflict, view: ConflictsView): Html {
  const decided = view.decided.files[file.key]
  const has = (side: 'ours' | 'theirs') => (file[side] ? 'keeps the file as this side has it' : 'deletes the file')
  return html`<div class="body"><p class="muted">${reasons[file.reason]}</p>${
    view.mayResolve &&
    html`<fieldset class="conflict"><legend class="sr-only">${file.path}</legend>${sides.map(side => html`<label class="choice"><input type="radio" name="files[${file.key}]" value="${side}" data-choice="${side}"${decided === side && html` checked`}> <span>${labelOf(side, view)}<span class="muted">: ${has(side)}</span></span></label>`)}</fieldset>`
  }</div>`
}

function textView(file: TextConflict, view: ConflictsView): Html {
  const { parts, key, path } = file
  let next = 0
  let line = 1
  const shown = parts.map((part, index) => {
    if (part.kind === 'settled') {
      const from = line
      line += part.lines.length
      return contextView(part.lines, from, index > 0, index < parts.length - 1)
    }
    const at = line
    line += part.ours.length
    next += 1
    return conflictView(file, part, { key: file.keys[next - 1] as string, index: next, line: at }, view)
  })
  const isEdited = view.decided.files[key] === 'text'
  const text = view.decided.texts[key] ?? textWithMarkers(parts, { ours: view.source, theirs: view.target })
  return html`<div class="conflict-parts">${shown}</div>${
    view.mayResolve &&
    html`<details class="conflict-edit"${isEdited && html` open`} data-edit><summary>Edit the whole file</summary><div class="body"><p><label class="choice"><input type="checkbox" name="files[${key}]" value="text" data-use-text${isEdited && html` checked`}> Use this text in place of the choices above</label></p><label for="text-${key}">Text of ${path}</label><textarea class="form-control mono code-field" id="text-${key}" name="texts[${key}]" rows="20" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="none" autocorrect="off" data-path="${path}">\n${text.replace(/\r\n?/g, '\n')}</textarea></div></details>`
  }`
}

/** Settled lines beside a conflict: the last before it, and the first after it. */
function contextView(lines: readonly string[], from: number, isAfter: boolean, isBefore: boolean): Html {
  const head = isAfter ? Math.min(AROUND, lines.length) : 0
  const tail = isBefore ? Math.max(head, lines.length - AROUND) : lines.length
  const rows = (start: number, end: number) =>
    html`${lines.slice(start, end).map((line, index) => html`<tr class="context"><td class="number" data-line="${from + start + index}"></td><td class="text">${bare(line)}</td></tr>`)}`
  const left = tail - head
  if (lines.length === 0) return html``
  return html`<table class="code" role="presentation"><tbody>${rows(0, head)}${left > 0 && html`<tr class="hunk"><td colspan="2">${number(left, 'line')} both sides have</td></tr>`}${rows(tail, lines.length)}</tbody></table>`
}

const bare = (line: string): string => line.replace(/(\r\n|\r|\n)$/, '')

/** The line ends of lines in words, where they are not those that most files have. */
const endsOf = (lines: readonly string[]): string =>
  [...new Set(lines.map(line => /(\r\n|\r|\n)$/.exec(line)?.[0] ?? ''))]
    .map(end => ({ '\r\n': 'CR LF', '\r': 'CR', '\n': 'LF', '': 'no line end' })[end])
    .join(', ')

interface At {
  readonly key: string
  readonly index: number
  readonly line: number
}

function conflictView(file: TextConflict, part: Extract<Part, { kind: 'conflict' }>, { key, index, line }: At, view: ConflictsView): Html {
  const decided = view.decided.choices[key]
  const differInEnds = part.ours.map(bare).join('\n') === part.theirs.map(bare).join('\n')
  const sideView = (side: 'ours' | 'theirs') => {
    const lines = part[side]
    const label = labelOf(side, view)
    return html`<div class="conflict-side ${side}">${view.mayResolve ? html`<label class="choice"><input type="radio" name="choices[${key}]" value="${side}" data-choice="${side}"${decided === side && html` checked`}> <span>${label}</span></label>` : html`<p class="choice">${label}</p>`}<pre tabindex="0" aria-label="${side === 'ours' ? 'Ours' : 'Theirs'}, conflict ${index} of ${file.path}">${lines.length === 0 ? html`<em class="muted">These lines are deleted.</em>` : lines.map(bare).join('\n')}</pre>${differInEnds && html`<p class="muted small">Line ends: ${endsOf(lines)}</p>`}</div>`
  }
  return html`<fieldset class="conflict" data-conflict><legend>Conflict ${index} of ${file.keys.length} <span class="muted">at line ${line}</span></legend><div class="conflict-sides">${sides.map(sideView)}</div></fieldset>`
}

/** How to resolve conflicts without this page. */
export const byHand = ({ source, target }: { readonly source: string; readonly target: string }): Html => {
  const quoted = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`)
  const lines = [
    'git fetch origin',
    `git checkout ${quoted(source)}`,
    `git merge ${quoted(`origin/${target}`)}`,
    '# resolve, git add, git commit',
    `git push origin ${quoted(source)}`,
  ]
  return html`<details class="by-hand"><summary>${icon('code')} On your computer</summary><pre tabindex="0" aria-label="Commands">${lines.join('\n')}</pre></details>`
}
