export function tokenLine(
  url: string,
  home: string,
  options: { readonly isTerminal: boolean; readonly setting: string | undefined },
): string
