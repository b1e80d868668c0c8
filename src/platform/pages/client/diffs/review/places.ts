/** The places of a diff in which threads and forms stand: below a line, or above the lines of a file. */

/** A place with the name that its elements have. */
export interface Place {
  readonly container: Element
  readonly name: string
}

/** The element with the name of a line: its row, or the number of one of two lines that stand beside each other. */
const lineElement = (name: string): HTMLElement | null => {
  const named = document.getElementById(name)
  return named?.closest('table.code') ? named : null
}

/** The side of a cell, where old and new lines stand beside each other. */
const sideOf = (element: Element): 'old' | 'new' | undefined =>
  element.classList.contains('old') ? 'old' : element.classList.contains('new') ? 'new' : undefined

/** The place below a line, made where there is none. */
function below(line: HTMLElement): Element | undefined {
  const row = line.closest('tr')
  if (!row) return undefined
  const side = line.tagName === 'TR' ? undefined : sideOf(line)
  const next = row.nextElementSibling
  const threads = next?.matches('tr.below-line') ? next : insertRow(row, side !== undefined)
  const cell = threads.querySelector<HTMLElement>(side === undefined ? 'td' : `td.${side}`)
  if (!cell) return undefined
  cell.classList.remove('blank')
  const container = cell.querySelector('.line-threads')
  if (container) return container
  const made = document.createElement('div')
  made.className = 'line-threads'
  cell.append(made)
  return made
}

function insertRow(row: HTMLTableRowElement, hasSides: boolean): HTMLTableRowElement {
  const made = document.createElement('tr')
  made.className = 'below-line'
  const width = [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0)
  for (const side of hasSides ? ['old', 'new'] : [undefined]) {
    const cell = made.insertCell()
    cell.colSpan = side === undefined ? width : width / 2
    if (side !== undefined) cell.className = `${side} blank`
  }
  row.after(made)
  return made
}

/** Takes away a place below a line that has nothing in it any more. */
export function tidy(container: Element | null | undefined): void {
  const row = container?.closest('tr.below-line')
  if (!row || !container || container.childElementCount > 0) return
  container.closest('td.old, td.new')?.classList.add('blank')
  container.remove()
  if (!row.querySelector('.line-threads, .line-findings')) row.remove()
}

/** The place below the line of a button. */
export function placeOfLine(button: HTMLElement): Place | undefined {
  const row = button.closest('tr')
  const side = sideOf(button.closest('td') ?? button)
  const line = row?.id ? row : row?.querySelector<HTMLElement>(`td.number.${side ?? 'new'}[id]`)
  const container = line && below(line)
  return line && container ? { container, name: line.id } : undefined
}

/** The place above the lines of the file of a form. */
export function placeOfFile(form: HTMLElement): Place | undefined {
  const name = form.id.replace(/^on-/, '')
  const container = document.querySelector(`[data-threads-of="${CSS.escape(name)}"]`)
  return container ? { container, name } : undefined
}

/** The button of the line before or after. */
export function buttonBeside(button: HTMLElement, by: number): HTMLElement | undefined {
  const buttons = [...(button.closest('table')?.querySelectorAll<HTMLElement>('.add-comment') ?? [])]
  return buttons[buttons.indexOf(button) + by]
}

/** Puts a thread of another document where it belongs, unless it is there already or its file is not on the page. */
export function placeThread(thread: HTMLElement): void {
  if (document.getElementById(thread.id)) return
  const { row, file } = thread.dataset
  const line = row === undefined ? null : lineElement(row)
  const place = line ? below(line) : document.querySelector(`[data-threads-of="${CSS.escape(file ?? '')}"]`)
  place?.append(document.importNode(thread, true))
}

/** Moves the threads that wait above the lines of their file below lines that have come. */
export function moveToLines(within: Element): void {
  for (const thread of within.querySelectorAll<HTMLElement>('.file-threads > .diff-thread[data-row]')) {
    const line = lineElement(thread.dataset.row ?? '')
    if (!line) continue
    // A file that was loaded by itself brings its threads along.
    const twin = [...document.querySelectorAll(`[id="${CSS.escape(thread.id)}"]`)].find(other => other !== thread)
    if (twin) thread.remove()
    else below(line)?.append(thread)
  }
}
