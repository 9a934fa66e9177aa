export type Word = { say: string; not: RegExp }
export function readWords(glossary: string): Word[]
export function misspoken(words: readonly Word[], files: ReadonlyMap<string, string>): string[]
export function checkWords(): boolean
