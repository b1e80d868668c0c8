/**
 * What the wings ask of those above them, connected in one place. A port is declared by the wing that uses it
 * (`src/platform/kernel/port.ts`); here it is given the functions that serve it. Read from top to bottom.
 */
export {}
