// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownership} from "./Ownership.sol";

/// An ERC-721 collection in which every token has a URI of its own, which anyone may change.
contract Gallery is Ownership {
    string public name;
    string public symbol;
    mapping(uint256 => string) private uris;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return uris[tokenId];
    }

    function mintAll(address to, string[] calldata list) external {
        for (uint256 i = 0; i < list.length; i++) uris[_mint(to)] = list[i];
    }

    function setUri(uint256 tokenId, string calldata uri) external {
        uris[tokenId] = uri;
        emit MetadataUpdate(tokenId);
    }
}

/// An ERC-721 collection that has neither names nor URIs: both are optional in the standard.
contract Unlabelled is Ownership {
    function supportsInterface(bytes4 id) external pure override returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function mint(address to) external {
        _mint(to);
    }
}
