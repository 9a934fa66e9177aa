// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ledger} from "./Ledger.sol";

/// Addresses that nobody has the key of; equal numbers give equal addresses.
library Crowd {
    function at(uint256 number) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode("ridgeline crowd", number)))));
    }
}

/// Advertises itself with transfers of nothing, in the name of somebody else.
contract Flyer is Ledger {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function announce(address from, uint256 first, uint256 count) external {
        for (uint256 i = first; i < first + count; i++) emit Transfer(from, Crowd.at(i), 0);
    }
}

/// Gives its units to thousands who did not ask for them.
contract Confetti is Ledger {
    string public constant name = "Confetti";
    string public constant symbol = "CONF";
    uint8 public constant decimals = 0;

    function shower(uint256 first, uint256 count, uint256 value) external {
        for (uint256 i = first; i < first + count; i++) _mint(Crowd.at(i), value);
    }
}
