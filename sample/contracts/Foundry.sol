// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ledger} from "./Ledger.sol";

/// An ERC-20 token that a workshop has cast.
contract Cast is Ledger {
    string public name;
    string public symbol;
    uint8 public constant decimals = 8;

    constructor(string memory name_, string memory symbol_, address holder, uint256 value) {
        name = name_;
        symbol = symbol_;
        _mint(holder, value);
    }
}

/// A factory of tokens, itself made by the foundry.
contract Workshop {
    event Made(address indexed token);

    function cast(bytes32 salt, string memory name, string memory symbol, address holder, uint256 value)
        public
        returns (address token)
    {
        token = address(new Cast{salt: salt}(name, symbol, holder, value));
        emit Made(token);
    }
}

/// A factory of factories, all at addresses that follow from their salts.
contract Foundry {
    event Founded(address indexed workshop);

    function found(bytes32 salt) public returns (Workshop workshop) {
        workshop = new Workshop{salt: salt}();
        emit Founded(address(workshop));
    }

    /// A workshop and its first token in one transaction: a creation inside a call inside a call.
    function foundAndCast(bytes32 salt, string calldata name, string calldata symbol, uint256 value) external {
        found(salt).cast(salt, name, symbol, msg.sender, value);
    }
}
