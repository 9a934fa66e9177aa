/** A Dockerfile's instructions. */
export declare function readInstructions(text: string): { word: string; rest: string }[]
