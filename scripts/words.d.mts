export type Word = { say: string; not: RegExp; isProse: boolean }
export function readWords(glossary: string): Word[]
export function misspoken(words: readonly Word[], files: ReadonlyMap<string, string>): string[]
export function checkWords(): boolean
