// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ledger} from "./Ledger.sol";

/// An ERC-20 token from before names were strings.
contract ShortText is Ledger {
    bytes32 public immutable name;
    bytes32 public immutable symbol;
    uint256 public constant decimals = 18;

    constructor(bytes32 name_, bytes32 symbol_) {
        name = name_;
        symbol = symbol_;
    }
}

/// An ERC-20 token that refuses to say what it is.
contract Faceless is Ledger {
    function name() external pure returns (string memory) {
        revert("Faceless: no name");
    }

    function symbol() external pure returns (string memory) {
        assert(false);
    }

    function decimals() external pure returns (uint8) {
        assembly {
            invalid()
        }
    }
}

/// An ERC-20 token whose answers are no values of their types.
contract Garbled is Ledger {
    /// An offset far behind the end of the answer.
    function name() external pure {
        assembly {
            mstore(0, not(0))
            mstore(32, not(0))
            return(0, 64)
        }
    }

    /// Less than a word.
    function symbol() external pure {
        assembly {
            mstore(0, not(0))
            return(0, 3)
        }
    }

    /// More than fits into a byte.
    function decimals() external pure returns (uint256) {
        return type(uint256).max;
    }
}

/// An ERC-20 token with a name of a million letters.
contract Longwinded is Ledger {
    string public constant symbol = "LONG";
    uint8 public constant decimals = 0;

    function name() external pure returns (string memory text) {
        uint256 length = 1_000_000;
        text = new string(length);
        assembly {
            let word := "Longwinded and never at an end. "
            for { let at := 0 } lt(at, length) { at := add(at, 32) } { mstore(add(add(text, 32), at), word) }
        }
    }
}

/// An ERC-20 token that says yes to every ERC-165 question, even to the one that must be answered with no.
contract YeaSayer is Ledger {
    string public constant name = "Yea-sayer";
    string public constant symbol = "YEA";
    uint8 public constant decimals = 2;

    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }
}
